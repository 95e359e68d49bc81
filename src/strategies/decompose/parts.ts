import { plainWords } from '../../context/words/same-question.ts';
import type { SubQuestion } from '../../state.ts';

/**
 * The parts of a question that ask for something of their own: none that is the question itself, and none twice. What
 * needs a part that is left out needs the one that asks the same.
 */
export function distinctParts(question: string, parts: readonly SubQuestion[]): readonly SubQuestion[] {
  const kept: SubQuestion[] = [];
  /** The new number by a part's words; null for the question itself. */
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
