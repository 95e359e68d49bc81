#!/bin/sh
# A question about a folder. The answer goes to stdout, everything else to stderr.
set -eu
cd "$(dirname "$0")/.."

npx rlm ask "What was the payments pool's maximum changed to?" examples/incident
