#!/bin/sh
# A team's own pipeline, tested in CI without a model: a run is recorded once, where a model is at hand, and replayed on
# every change. A prompt, a text or a setting that changed a request makes the replay fail, and say what differs.
set -eu
cd "$(dirname "$0")/.."

# A real project keeps this file in its repository.
cassette=${TMPDIR:-/tmp}/rlm-example.cassette

question="Which configuration change broke checkout, and how was it fixed?"

npx rlm ask "$question" examples/incident --quiet --record "$cassette" >"$cassette.recorded"
npx rlm ask "$question" examples/incident --quiet --replay "$cassette" >"$cassette.replayed"
cmp "$cassette.recorded" "$cassette.replayed" && echo "replay: the same answer, byte by byte"

status=0
npx rlm ask "What else?" examples/incident --quiet --replay "$cassette" || status=$?
echo "another question is not in the recording: exit status $status"
