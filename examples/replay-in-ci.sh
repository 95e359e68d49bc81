#!/bin/sh
# Tests a pipeline in CI without a model. A run is recorded once, with a model, and replayed on every change. If a
# prompt, text or setting changes a request, the replay fails and says what differs.
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
