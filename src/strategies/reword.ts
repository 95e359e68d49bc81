import { contentTerms } from '../context/words/terms.ts';
import { RlmError } from '../errors.ts';
import type { Run } from '../run/run.ts';
import type { Passage } from '../state.ts';
import { allotmentLeft, type Question } from './strategy.ts';

/** A question in other words, and what they find besides the passages that it has. */
export interface Reworded {
  readonly words: string;
  readonly passages: readonly Passage[];
}

/** More of a reply is no question any more, in characters. */
const longestWords = 400;
/** The call, and the one that answers. */
const callsWorthRewording = 2;

/** Whether other words may find more: not where all of the text is read, nor where passages are found by meaning. */
export function mayReword(asked: Question, run: Run): boolean {
  const { embedding, retrieval } = run.settings;
  const isByWords = embedding.model === null && retrieval.server === null;
  return (
    !run.text.fits && isByWords && run.text.store.chunkCount > 0 && allotmentLeft(asked, run) >= callsWorthRewording
  );
}

/** The words of a reply that say what the question's own words do not. */
function newWords(reply: string, question: string): string[] {
  const own = new Set(contentTerms(question));
  const words = reply.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(words)].filter((word) => contentTerms(word).some((term) => !own.has(term)));
}

/**
 * Has the model put a question in other words, and searches with those that are new. Null where that may not be, or
 * brings nothing.
 * @param shown what the model was shown before: a server that keeps its prefix does not read it again.
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
    // What ends the run is met again by the call that answers; the answer of the step below stands either way.
    if (!(error instanceof RlmError)) throw error;
    return null;
  }
}
