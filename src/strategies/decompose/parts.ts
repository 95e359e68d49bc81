import { plainWords } from '../../context/words/same-question.ts';
import type { Run } from '../../run/run.ts';
import type { Passage, SubQuestion, TreeNode } from '../../state.ts';
import type { Question } from '../strategy.ts';

/**
 * Removes parts that repeat the question or another part. A part that needs a removed one needs the equal part that
 * stays.
 */
export function distinctParts(question: string, parts: readonly SubQuestion[]): readonly SubQuestion[] {
  const kept: SubQuestion[] = [];
  /** New number of a part, by its words; null for the question itself. */
  const byWords = new Map<string, number | null>([[plainWords(question), null]]);
  const numbers = parts.map(({ question: part, needs }) => {
    const words = plainWords(part);
    if (!byWords.has(words)) {
      byWords.set(words, kept.length + 1);
      kept.push({ question: part, needs });
    }
    return byWords.get(words)!;
  });
  return kept.map(({ question: part, needs }, place) => {
    const renumbered = needs.flatMap((need) => numbers[need - 1] ?? []);
    return { question: part, needs: [...new Set(renumbered)].filter((need) => need <= place) };
  });
}

/** Returns the ids of the passages that were found for a question and its parts. */
export const passagesOf = ({ passages, children }: TreeNode): string[] => [
  ...passages.map(({ id }) => id),
  ...children.flatMap(passagesOf),
];

/** Returns the passages that a part inherits: those of the whole question, and those of the parts that it needs. */
export function inHandFor({ passages, inHand }: Question, needed: readonly TreeNode[], run: Run): readonly Passage[] {
  const ids = [...(passages ?? inHand).map(({ id }) => id), ...needed.flatMap(passagesOf)];
  return run.passages.byId([...new Set(ids)]);
}
