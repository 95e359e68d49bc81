import type { ContextStore } from '../document.ts';
import { readLineWords } from './duration-question.ts';
import { type DurationLine, type FoundDuration, isPlan, linesFor } from './find-durations.ts';
import { edgeOf, readEnds } from './order-question.ts';

const sure = 0.65;

type LineWords = ReturnType<typeof readLineWords>;

/** "From 10 % to full traffic": an end that names nothing is one of what the other names. */
const named = (own: LineWords, other: LineWords): LineWords =>
  own.terms.length > 0 ? own : { ...own, terms: other.terms };

/** The lines that tell best of what words say, in the order of time. */
async function bestLines(asked: LineWords, store: ContextStore, signal: AbortSignal): Promise<readonly DurationLine[]> {
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
  const [start, end] = [readLineWords(ends.from), readLineWords(ends.to)];
  const from = (await bestLines(named(start, end), store, signal)).at(edgeOf(ends.from) === 'first' ? 0 : -1);
  if (from === undefined) return null;
  const later = (await bestLines(named(end, start), store, signal)).filter(
    ({ ms, startByte }) => ms! >= from.ms! && startByte !== from.startByte,
  );
  const to = later.at(edgeOf(ends.to) === 'first' ? 0 : -1);
  if (to === undefined || to.document !== from.document) return null;
  const certainty = sure * from.share * to.share;
  return { ms: to.ms! - from.ms!, isStated: false, lines: [from, to], certainty, others: [] };
}
