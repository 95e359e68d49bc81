import { contentTerms } from '../context/words/terms.ts';
import { RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import { allotmentLeft, type Question } from './strategy.ts';

/** A reworded question, and the additional passages that it finds. */
export interface Reworded {
  readonly words: string;
  readonly passages: readonly Passage[];
}

/** Characters of the reply that are read as a question, at most. */
const longestWords = 400;
/** Calls that rewording needs: itself and the answer. */
const callsWorthRewording = 2;

/** Whether rewording may find more: not where the whole text is read, nor where passages are found by meaning. */
export function mayReword(asked: Question, run: Run): boolean {
  const { embedding, retrieval } = run.settings;
  const isByWords = embedding.model === null && retrieval.server === null;
  return (
    !run.text.fits && isByWords && run.text.store.chunkCount > 0 && allotmentLeft(asked, run) >= callsWorthRewording
  );
}

/** Returns the words of a reply that the question lacks. */
function newWords(reply: string, question: string): string[] {
  const own = new Set(contentTerms(question));
  const words = reply.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(words)].filter((word) => contentTerms(word).some((term) => !own.has(term)));
}

/**
 * Asks the model to reword a question, and searches with the new words. Null where that is not allowed, or finds
 * nothing.
 * @param shown the excerpts of the previous prompt: a server that cached them does not read them again.
 */
export async function reword(asked: Question, shown: readonly Passage[], run: Run): Promise<Reworded | null> {
  if (!mayReword(asked, run)) return null;
  const { question, path, passages } = asked;
  try {
    const { words } = await run.ask('reword', { question, passages: shown }, { path, share: 'ordinary' });
    const fresh = newWords(words.slice(0, longestWords), question).join(' ');
    if (fresh === '') return null;
    const exclude = new Set((passages ?? []).map(({ id }) => id));
    const found = await run.passages.findMore({ query: fresh, focus: question, path, exclude });
    return { words: fresh, passages: found };
  } catch (error) {
    // An error that ends the run recurs in the answering call; the previous step's answer is kept either way.
    if (!(error instanceof RlmError)) throw error;
    return null;
  }
}
