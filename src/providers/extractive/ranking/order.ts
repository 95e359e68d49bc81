import type { Candidate } from './candidate.ts';

const moment = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)/;

/** Returns the date and time in a sentence, or null. */
function momentOf({ sentence }: Candidate): string | null {
  return moment.exec(sentence.text)?.slice(1).join(' ') ?? null;
}

/** Compares by time where both have one, else by position in the text. */
export function byTime(one: Candidate, other: Candidate): number {
  const [left, right] = [momentOf(one), momentOf(other)];
  if (left !== null && right !== null && left !== right) return left < right ? -1 : 1;
  return byPlace(one, other);
}

function byPlace(one: Candidate, other: Candidate): number {
  const [left, right] = [one.sentence, other.sentence];
  if (left.passage.source !== right.passage.source) return one.index - other.index;
  return left.passage.startByte - right.passage.startByte || left.start - right.start;
}

/** Puts the best candidate first, and the others in text order, those of its source first. Expects the best first. */
export function bestInFront(chosen: readonly Candidate[]): Candidate[] {
  const sources = new Map<string, number>();
  for (const { sentence } of chosen) {
    if (!sources.has(sentence.passage.source)) sources.set(sentence.passage.source, sources.size);
  }
  const rank = ({ sentence }: Candidate): number => sources.get(sentence.passage.source) ?? 0;
  const [best, ...others] = chosen;
  return best === undefined
    ? []
    : [best, ...others.sort((one, other) => rank(one) - rank(other) || byPlace(one, other))];
}
