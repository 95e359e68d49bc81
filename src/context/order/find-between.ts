import type { ContextStore } from '../document.ts';
import { readLineWords } from './duration-question.ts';
import { type DurationLine, type FoundDuration, isPlan, linesFor } from './find-durations.ts';
import { edgeOf, readEnds } from './order-question.ts';

const sure = 0.65;

/** The lines that tell best of what words say, in the order of time. */
async function bestLines(words: string, store: ContextStore, signal: AbortSignal): Promise<readonly DurationLine[]> {
  const asked = readLineWords(words);
  if (asked.terms.length + asked.tokens.length === 0) return [];
  const timed = (await linesFor(asked, store, signal)).filter(({ ms, text }) => ms !== null && !isPlan(text));
  const best = Math.max(0, ...timed.map(({ share }) => share));
  return timed.filter(({ share }) => share === best).toSorted((a, b) => a.ms! - b.ms!);
}

/**
 * The time between two things that a question names, by the lines that have most of the words for them; null where
 * there are none.
 */
export async function findBetween(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<FoundDuration | null> {
  const ends = readEnds(question.replace(/\?+\s*$/, ''));
  if (ends === null) return null;
  const from = (await bestLines(ends.from, store, signal)).at(edgeOf(ends.from) === 'first' ? 0 : -1);
  if (from === undefined) return null;
  const later = (await bestLines(ends.to, store, signal)).filter(
    ({ ms, startByte }) => ms! >= from.ms! && startByte !== from.startByte,
  );
  const to = later.at(edgeOf(ends.to) === 'first' ? 0 : -1);
  if (to === undefined || to.document !== from.document) return null;
  const certainty = sure * from.share * to.share;
  return { ms: to.ms! - from.ms!, isStated: false, lines: [from, to], certainty, others: [] };
}
