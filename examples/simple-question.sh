#!/bin/sh
# A question about a folder. The answer goes to stdout, everything else to stderr.
set -eu
cd "$(dirname "$0")/.."

npx rlm ask "How many connections did the payments pool have before and after the change?" examples/incident
