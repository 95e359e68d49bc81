#!/bin/sh
# A CI job that acts on the exit status. rlm help exit-codes lists all of them.
set -u
cd "$(dirname "$0")/.."

npx rlm ask "Which configuration changes lowered the connection pool?" examples/incident \
  --json --min-confidence 20 -o "${TMPDIR:-/tmp}/rlm-answer.json"
status=$?

case $status in
  0) echo "gate: answered with enough evidence" ;;
  6) echo "gate: a limit was reached, the answer is partial"; exit 1 ;;
  7) echo "gate: the evidence is too thin"; exit 1 ;;
  *) echo "gate: rlm failed with $status"; exit "$status" ;;
esac
