import { isForgivable } from '../../errors.ts';
import type { Passage } from '../../state.ts';
import type { Run } from '../run.ts';
import type { Rerank } from './find-passages.ts';

function inOrder(passages: readonly Passage[], ranking: readonly string[]): Passage[] {
  const named = new Set(ranking.flatMap((entry) => entry.match(/P\d+/) ?? []));
  const ranked = [...named].flatMap((id) => passages.filter((passage) => passage.id === id));
  return [...ranked, ...passages.filter(({ id }) => !named.has(id))];
}

/**
 * Creates the function that reranks passages with one call. A call that fails leaves the order unchanged, with a
 * warning.
 */
export function createRerank(ask: Run['ask'], warn: (message: string) => void): Rerank {
  return async (question, passages, path) => {
    try {
      const { ranking } = await ask('rerank', { question, passages }, { path, share: 'ordinary' });
      return inOrder(passages, ranking);
    } catch (error) {
      if (!isForgivable(error)) throw error;
      warn(`passages were not reranked: ${error.message}`);
      return passages;
    }
  };
}
