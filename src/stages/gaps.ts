/** What an answer leaves open, as questions of their own. */
import { isRepeated } from '../context/words/same-question.ts';
import { tellsNothing } from '../evidence/claims/tells-nothing.ts';
import type { ModelInfo } from '../providers/provider.ts';
import { strategiesFor, testedOf } from '../run/up-to.ts';
import { type Critiqued, type TreeNode, wayOf } from '../state.ts';

export const mostGaps = 3;

/**
 * Whether a model can compose answers. With others, looking once more brought nothing (decision 47).
 */
export const mayComposeGaps = (info: ModelInfo): boolean =>
  info.spends !== 'nothing' && strategiesFor(testedOf(info)).has('decompose');

/** A claim of fewer words is no question to search for. */
const fewestWords = 4;

/** Parts of the question without an answer, or whose answer is that the text does not tell; the lowest of them. */
function openParts({ strategy, children }: TreeNode): string[] {
  if (wayOf(strategy) !== 'parts') return [];
  return children.flatMap((child) => {
    const below = openParts(child);
    const isOpen = child.answer === null || tellsNothing(child.answer);
    return below.length > 0 ? below : isOpen ? [child.question] : [];
  });
}

/** Parts that the answer itself says were not found. */
const notFound = (answer: string): string[] =>
  [...answer.matchAll(/^Not found: .{0,100}? matches "(.{1,300}?)" well enough\.$/gm)].map(([, question]) => question!);

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** What is claimed and not borne out, beside claims that are. An answer of which nothing is borne out has no gaps. */
function unsupportedClaims({ claims }: Critiqued): string[] {
  const isBorneOut = claims.some(({ verdict }) => verdict === 'supported');
  const bare = claims.filter(({ verdict, text }) => verdict === 'unsupported' && wordsIn(text) >= fewestWords);
  return isBorneOut ? bare.map(({ text }) => text) : [];
}

/**
 * What is to be looked for once more: parts that were not answered, claims that what was read does not bear out, and
 * what the critic misses. Nothing that is the question itself again. At most three.
 */
export function gapsOf(state: Critiqued): string[] {
  const { solution, recursionTree, critique, task } = state;
  const all = [
    ...openParts(recursionTree),
    ...notFound(solution ?? ''),
    ...(critique?.gaps ?? []),
    ...unsupportedClaims(state),
  ];
  const gaps: string[] = [];
  for (const gap of all.map((text) => text.replace(/\s+/g, ' ').trim()))
    if (gap !== '' && !isRepeated(gap, [task, ...gaps])) gaps.push(gap);
  return gaps.slice(0, mostGaps);
}
