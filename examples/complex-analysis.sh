#!/bin/sh
# A question with several parts, which --strategy decompose splits. By default, rlm splits a question only if needed.
# The JSON output contains the whole recursion tree, which node prints here.
set -eu
cd "$(dirname "$0")/.."

npx rlm ask "Which config revision set the maximum of the payments pool, what made the outage worse, and how was it fixed?" \
  examples/incident --strategy decompose --json |
  node --input-type=module -e '
    import { json } from "node:stream/consumers";
    const { answer, citations, confidence, recursionTree } = await json(process.stdin);
    const show = ({ depth, strategy, question, calls, citations, children }) => {
      console.log(`${"  ".repeat(depth)}${strategy}: ${question} (${calls} calls, ${citations.length} citations)`);
      children.forEach(show);
    };
    show(recursionTree);
    console.log(`\n${answer}\n`);
    for (const { number, source, startLine } of citations) console.log(`[${number}] ${source}:${startLine}`);
    console.log(`\nconfidence: ${confidence ?? "unknown"}`);
  '
