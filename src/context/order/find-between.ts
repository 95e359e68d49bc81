import type { ContextStore } from '../document.ts';
import { type DurationQuestion, type Pair, readLineWords, run } from './duration-question.ts';
import { type DurationLine, type FoundDuration, isPlan, linesFor, says } from './find-durations.ts';
import { edgeOf, readEnds } from './order-question.ts';

const sure = 0.65;

/** One end of a period: the terms of its line, and whether the line reports a beginning or an end. */
interface End extends Pick<DurationQuestion, 'terms' | 'tokens'> {
  readonly phase: keyof Pair | null;
}

const phases = [
  ['ends', /^(?:the )?(?:end|finish|completion|close) of\b/i],
  ['begins', /^(?:the )?(?:start|begin|beginning|launch) of\b/i],
] as const;

function readEnd(words: string): End {
  const [phase = null, pattern = /^/] = phases.find(([, one]) => one.test(words.trim())) ?? [];
  return { ...readLineWords(words.trim().replace(pattern, '')), phase };
}

/** Gives an end without terms those of the other end, as in "from 10 % to full traffic". */
const named = (own: End, other: End): End => (own.terms.length > 0 ? own : { ...own, terms: other.terms });

/** Finds the lines that match an end best, in the order of time. */
async function bestLines(
  { phase, ...asked }: End,
  store: ContextStore,
  signal: AbortSignal,
): Promise<readonly DurationLine[]> {
  if (asked.terms.length + asked.tokens.length === 0) return [];
  const all = (await linesFor(asked, store, signal)).filter(({ ms, text }) => ms !== null && !isPlan(text));
  const timed = phase === null ? all : all.filter((line) => says(line, run[phase]));
  const best = Math.max(0, ...timed.map(({ share }) => share));
  return timed.filter(({ share }) => share === best).toSorted((a, b) => a.ms! - b.ms!);
}

/** Whether a question names an end of something by its end or its beginning: "the end of the rollout". */
export function namesPhase(question: string): boolean {
  const ends = readEnds(question.replace(/\?+\s*$/, ''));
  return ends !== null && [ends.from, ends.to].some((words) => readEnd(words).phase !== null);
}

/**
 * Finds the time between two events that a question names, by the lines with most of their words; null where there are
 * none.
 */
export async function findBetween(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<FoundDuration | null> {
  const ends = readEnds(question.replace(/\?+\s*$/, ''));
  if (ends === null) return null;
  const [start, end] = [readEnd(ends.from), readEnd(ends.to)];
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
