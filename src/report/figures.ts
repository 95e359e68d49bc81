/** The figures of a run as text. */
import { counted, grouped } from '../base/counted.ts';
import { duration } from '../base/duration.ts';
import { money } from '../base/money.ts';
import { confidenceName, type Result } from '../result.ts';
import type { Citation, TreeNode } from '../state.ts';

/** `src/a.ts:10-18`, or `src/a.ts:10` for a single line. */
export const placeOf = ({ source, startLine, endLine }: Pick<Citation, 'source' | 'startLine' | 'endLine'>): string =>
  `${source}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;

/** Returns a node and all nodes below it, in display order. */
export const nodesOf = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(nodesOf)];

/** The name of each status, as shown above an answer. */
export const statusNames: Readonly<Record<Result['status'], string>> = {
  answered: 'Answered',
  partial: 'Partial answer',
  failed: 'Failed',
  cancelled: 'Stopped',
};

/** Returns the confidence of a result, such as `confidence 86/100`. */
export const confidenceText = (result: Result): string =>
  `${confidenceName(result)} ${result.confidence === null ? 'unknown' : `${result.confidence}/100`}`;

/** Returns the provider and the model that answered. */
export const servedText = ({ provider, model }: Result): string =>
  [...new Set([provider, model])].filter((name) => name !== null).join(' ');

/** Whether the run called a language model. */
const isSpending = ({ usage }: Result): boolean => usage.tokens.input + usage.tokens.output > 0;

/** Returns the figures of a run as short texts, the most important first. */
export function figuresOf(result: Result): string[] {
  const { usage, recursionTree, citations } = result;
  const questions = recursionTree === null ? 0 : nodesOf(recursionTree).length;
  const tokens = usage.tokens.input + usage.tokens.output;
  const spent = [counted(usage.calls, 'call'), `${grouped(tokens)} tokens`];
  return [
    duration(usage.wallTimeMs),
    ...(questions > 1 ? [counted(questions, 'question')] : []),
    ...(isSpending(result) ? spent : []),
    ...(usage.cost === null ? ['cost unknown'] : usage.cost > 0 ? [money(usage.cost)] : []),
    counted(citations.length, 'citation'),
    servedText(result),
  ].filter(Boolean);
}
