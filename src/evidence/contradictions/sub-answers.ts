import type { Contradiction, ContradictionSide, Passage, TreeNode } from '../../state.ts';
import { splitClaims } from '../claims/split-claims.ts';
import { placesOfMarks } from '../marks.ts';
import { findContradictions } from './find-contradictions.ts';

/** The answer to a sub-question as a passage of its own; its marks become spaces, so that offsets stay the same. */
function asPassage({ path, question, answer }: TreeNode): Passage {
  let text = answer ?? '';
  for (const { start, end } of placesOfMarks(text))
    text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
  const endByte = Buffer.byteLength(text);
  const source = `the answer to "${question.slice(0, 80)}"`;
  return { id: path, source, startLine: 1, endLine: 1, startByte: 0, endByte, text, score: 0, hash: '' };
}

const wordsOf = (text: string): string => text.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '';

/** Returns what a sentence of an answer cites, or the sentence itself where it cites nothing. */
function citedSide(side: ContradictionSide, { answer, citations }: TreeNode): ContradictionSide {
  const text = answer ?? '';
  const claim = splitClaims(text, placesOfMarks(text)).find((one) => wordsOf(side.quote).includes(wordsOf(one.text)));
  const cited = citations.find(({ passage }) => claim?.ids.includes(passage));
  if (cited === undefined) return side;
  const { passage, source, startLine, endLine } = cited;
  return { passage, source, startLine, endLine, quote: side.quote };
}

const placeOf = ({ source, startLine }: ContradictionSide, isCited: boolean): string =>
  isCited ? `${source}:${startLine}` : source;

/** Returns the pairs of sibling nodes whose answers are compared. */
const partsOf = (node: TreeNode): readonly (readonly TreeNode[])[] => [
  node.children.filter(({ answer }) => answer !== null),
  ...node.children.flatMap(partsOf),
];

function disagreementsAmong(question: string, parts: readonly TreeNode[]): Contradiction[] {
  if (parts.length < 2) return [];
  return findContradictions(question, parts.map(asPassage)).map((found) => {
    const sides = found.sides.map((side) => citedSide(side, parts.find(({ path }) => path === side.passage)!));
    const places = sides.map((side, at) => placeOf(side, side !== found.sides[at]));
    const said = found.sides.map(({ source, startLine }) => `${source}:${startLine}`);
    const text = said.reduce((words, place, at) => words.replace(place, () => places[at]!), found.text);
    return { text, sides: [sides[0]!, sides[1]!] as const };
  });
}

/** Finds contradictions between the answers to sub-questions, with what those answers cite. */
export const findDisagreements = (question: string, tree: TreeNode): Contradiction[] =>
  partsOf(tree).flatMap((parts) => disagreementsAmong(question, parts));
