import { contentTerms } from '../../context/words/terms.ts';
import type { SubQuestion } from '../../state.ts';

/**
 * Keeps the key questions that name something from the task, or build on one that does. The others, such as "What are
 * the names of the parts?", are generic, and a search for them finds anything. For a task without content words, all
 * are kept.
 */
export function namingTheTask(task: string, questions: readonly SubQuestion[]): readonly SubQuestion[] {
  const named = new Set(contentTerms(task));
  if (named.size === 0) return questions;
  /** New numbers by old numbers. */
  const kept = new Map<number, number>();
  return questions.flatMap(({ question, needs }, index) => {
    const before = needs.flatMap((need) => kept.get(need) ?? []);
    if (before.length === 0 && !contentTerms(question).some((term) => named.has(term))) return [];
    kept.set(index + 1, kept.size + 1);
    return [{ question, needs: before }];
  });
}
