import { type ErrorCode, RlmError } from '../errors.ts';
import type { Passage } from '../state.ts';
import type { Run } from './run.ts';

/**
 * Passages as the model orders them; those that it does not name keep their order, behind the others.
 * @param path the place in the tree that they are for, or a stage's name.
 * @throws RlmError what ends the run: a limit, an interruption, a call that a recording lacks, or a provider that is gone.
 */
export type Rerank = (question: string, passages: readonly Passage[], path: string) => Promise<readonly Passage[]>;

/** After these the model may yet answer, and the passages are there in the retriever's order. */
const forgivable: readonly ErrorCode[] = ['reply-unusable', 'call-timeout', 'prompt-too-long'];

function inOrder(passages: readonly Passage[], ranking: readonly string[]): Passage[] {
  const named = new Set(ranking.flatMap((entry) => entry.match(/P\d+/) ?? []));
  const ranked = [...named].flatMap((id) => passages.filter((passage) => passage.id === id));
  return [...ranked, ...passages.filter(({ id }) => !named.has(id))];
}

/** Reranks through the one door. A call that comes to nothing leaves the order as it is, with a warning. */
export function createRerank(ask: Run['ask'], warn: (message: string) => void): Rerank {
  return async (question, passages, path) => {
    try {
      const { ranking } = await ask('rerank', { question, passages }, { path, share: 'ordinary' });
      return inOrder(passages, ranking);
    } catch (error) {
      if (!(error instanceof RlmError) || !forgivable.includes(error.code)) throw error;
      warn(`passages were not reranked: ${error.message}`);
      return passages;
    }
  };
}
