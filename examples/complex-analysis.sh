#!/bin/sh
# A question with parts. --strategy decompose splits it in any case; without it, rlm splits when the text or the
# question needs it. The JSON output holds the whole recursion tree, which node prints here.
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
