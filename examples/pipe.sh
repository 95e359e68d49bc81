#!/bin/sh
# Asks about piped text. stdout holds only the answer, so a script can store it in a variable.
set -eu
cd "$(dirname "$0")/.."

cause=$(grep -h WARN examples/incident/*.log | npx rlm ask "Which pool was saturated?" --quiet)
printf 'Found in the warnings:\n%s\n' "$cause"

# Asks about piped text (`-`) and files together: the notes say what the log does not.
tail -n 500 examples/incident/checkout-service.log |
  npx rlm ask "What fixed the outage?" - examples/incident/timeline.md examples/incident/postmortem-draft.md
