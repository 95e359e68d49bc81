#!/bin/sh
# Questions about source code before a refactoring. The citations name the places to change.
set -eu
cd "$(dirname "$0")/.."

npx rlm ask "Where is the tax computed?" examples/refactoring/src
npx rlm ask "Which function gives stock back when an order is cancelled?" 'examples/refactoring/**/*.ts'
