#!/usr/bin/env bash
# What action.yml runs: asks, tells the step's outputs, and ends with the status of rlm. Everything from outside comes
# as a variable and is only ever passed on as an argument or as data.
set -uo pipefail

mapfile -t paths < <(printf '%s\n' "$PATHS" | sed '/^[[:space:]]*$/d')
mapfile -t more < <(printf '%s\n' "$ARGUMENTS" | sed '/^[[:space:]]*$/d')
options=(--json --step-summary "${more[@]}")
[ "$PROVIDER" = auto ] || options+=("--provider=$PROVIDER")
[ -z "$MODEL" ] || options+=("--model=$MODEL")
case $PROVIDER in
  anthropic) [ -z "$API_KEY" ] || export ANTHROPIC_API_KEY=$API_KEY ;;
  openai) [ -z "$API_KEY" ] || export OPENAI_API_KEY=$API_KEY ;;
esac
unset API_KEY

if [ -n "$CHECKS" ]; then
  REPORT=''
  command=(checks "${options[@]}" -- "$CHECKS")
  [ "$PATHS" = . ] || command+=("${paths[@]}")
else
  [ -z "$SCHEMA" ] || options+=("--schema=$SCHEMA")
  [ -z "$MIN_CONFIDENCE" ] || options+=("--min-confidence=$MIN_CONFIDENCE")
  [ "$ANNOTATIONS" != true ] || options+=(--annotations=github)
  [ -z "$REPORT" ] || options+=("--report=$REPORT")
  command=(ask "${options[@]}" -- "$QUESTION" "${paths[@]}")
fi

output=$(mktemp)
node "$GITHUB_ACTION_PATH/bin/rlm.js" "${command[@]}" </dev/null >"$output"
code=$?
REPORT=$REPORT node "$GITHUB_ACTION_PATH/scripts/ci/outputs.mjs" "$output" >>"$GITHUB_OUTPUT"
rm -f "$output"
exit "$code"
