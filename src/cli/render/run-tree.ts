import { counted, grouped } from '../../base/counted.ts';
import { duration } from '../../base/duration.ts';
import type { TreeNode, Usage } from '../../index.ts';
import { type Output, oneLine } from '../terminal.ts';
import { finishedMarks } from './live/words.ts';

/** Formats input and output tokens. */
export const tokensText = ({
  input,
  output,
  cacheRead = 0,
  cacheWritten = 0,
}: TreeNode['tokens'] & Partial<Usage['tokens']>): string => {
  const cached = [
    ...(cacheRead > 0 ? [`${grouped(cacheRead)} read from the provider's cache`] : []),
    ...(cacheWritten > 0 ? [`${grouped(cacheWritten)} written to it`] : []),
  ];
  const details = cached.length > 0 ? ` (${cached.join(', ')})` : '';
  return `${counted(input, 'token')} in${details}, ${grouped(output)} out`;
};

const longestLine = 500;

/** Returns the probability that a question is complex. Empty when the model did not return one. */
const oddsOf = ({ assessment }: TreeNode): string =>
  typeof assessment?.probability === 'number' ? `${Math.round(assessment.probability * 100)} % complex` : '';

function factsOf(node: TreeNode, showsCalls: boolean): string {
  const { status, strategy, strategyReason, calls, tokens, timeMs, cacheHits } = node;
  const why = strategyReason === '' ? '' : ` (${oneLine(strategyReason, longestLine)})`;
  const hits = cacheHits > 0 ? counted(cacheHits, 'cache hit') : '';
  const facts = [
    `${status}, ${strategy}${why}`,
    oddsOf(node),
    ...(showsCalls ? [counted(calls, 'call'), tokensText(tokens)] : []),
    duration(timeMs),
    hits,
  ];
  return facts.filter(Boolean).join(' · ');
}

/** Returns a line for each further search. Runs of earlier versions have none. */
const searchesOf = ({ searches }: Partial<TreeNode>): string[] =>
  (searches ?? []).map(
    ({ query, found }) => `searched for "${oneLine(query, longestLine)}": ${counted(found.length, 'passage')}`,
  );

const shownArguments = 160;

/** Returns the lines of the steps of an exploration. Runs of earlier versions have no steps. */
const stepsOf = ({ steps }: Partial<TreeNode>): string[] =>
  (steps ?? []).flatMap(({ number, thought, calls, findings, next, summarisedTo }) => [
    `step ${number}${thought === '' ? '' : `: ${oneLine(thought, longestLine)}`}`,
    ...(summarisedTo > 0 ? [`  (the model saw steps 1 to ${summarisedTo} as a summary)`] : []),
    ...calls.map(({ tool, arguments: given, result, outcome }) => {
      const [first = ''] = result.split('\n');
      const how = outcome === 'done' ? '' : ` (${outcome})`;
      return `  ${oneLine(tool, 60)} ${oneLine(JSON.stringify(given) ?? '', shownArguments)}${how}: ${oneLine(first, shownArguments)}`;
    }),
    ...findings.map(({ description, source, startLine, endLine, passage }) => {
      const place = passage === null ? 'not in the text' : `${source}:${startLine}-${endLine}`;
      return `  found: ${oneLine(description, longestLine)} (${oneLine(place, longestLine)})`;
    }),
    ...(next === '' ? [] : [`  next: ${oneLine(next, longestLine)}`]),
  ]);

function linesOf(node: TreeNode, showsCalls: boolean, output: Output): string[] {
  const { color, sign } = finishedMarks[node.status];
  const error = node.error === null ? [] : [`  ${output.style('yellow', oneLine(node.error.message, longestLine))}`];
  const own = [
    `${output.style(color, sign)} ${oneLine(node.question, longestLine)}`,
    `  ${output.style('dim', factsOf(node, showsCalls))}`,
    ...stepsOf(node).map((line) => `  ${output.style('dim', line)}`),
    ...searchesOf(node).map((line) => `  ${output.style('dim', line)}`),
    ...error,
  ];
  return [...own, ...node.children.flatMap((child) => linesOf(child, showsCalls, output).map((line) => `  ${line}`))];
}

/**
 * Formats a recursion tree: each question with its strategy and usage, and its parts below it.
 * @param showsCalls whether calls and tokens are shown, which only runs with a language model have.
 */
export const renderTree = (root: TreeNode, showsCalls: boolean, output: Output): string =>
  linesOf(root, showsCalls, output).join('\n');
