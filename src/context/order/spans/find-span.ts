import type { ContextStore } from '../../document.ts';
import { createLineFinder } from '../../lines.ts';
import { searchPlaces } from '../../search/search.ts';
import { readBuffer, withoutEnd } from '../../shown-text.ts';
import { terms } from '../../words/terms.ts';
import type { DurationLine, FoundDuration } from '../find-durations.ts';
import { readMoment, withoutMoment } from '../moments.ts';
import { statedDuration } from '../stated-durations.ts';
import { type Meaning, meaningOf, termsOf } from './meanings.ts';
import { readSpanQuestion, type SpanEnd, type SpanQuestion } from './read-span.ts';

/** Lines that are read per term, at most. */
const mostLines = 2_000;
const longestLine = 2_000;
/** Weight of a word of the same meaning, relative to the word itself. */
const sameMeaning = 0.8;
/** Share of an end's words, weighted by rarity, that its line has to have. */
const fewestTold = 0.45;
/** Share of the best score above which other lines may be meant too. */
const nearlyBest = 0.97;
/** Weight of a line's matching meaning: such a line seldom names its subject. */
const worthOfEnd = 0.3;
/** Factor for lines that ask or only plan, which report nothing that happened. */
const notYet = 0.7;
/** Weight of words that the line shares with the other end, which breaks ties. */
const sharedWeight = 0.1;
const sure = 0.6;

interface SpanLine {
  readonly document: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
  readonly ms: number;
  readonly terms: ReadonlySet<string>;
  readonly meanings: ReadonlySet<Meaning>;
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** Returns the beginning that a stem's words share: `retri` is the stem of `retry`. */
const beginningOf = (term: string): string => literally(term.length > 3 ? term.replace(/[iey]$/, '') : term);

interface Known {
  /** Number of lines with a word that begins with the term or has its meaning, by term. */
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: readonly SpanLine[];
}

const anyOf = (all: readonly string[]): string => `\\b(?:${[...new Set(all)].map(beginningOf).join('|')})`;

/** Returns the patterns that find lines: for each term with words of its meaning, and for each meaning. */
function patternsOf({ from, to }: SpanQuestion): ReadonlyMap<string, string> {
  const byTerm = [...from.terms, ...to.terms].map((term) => {
    const meaning = meaningOf(term);
    return [term, anyOf([term, ...(meaning === null ? [] : termsOf(meaning))])] as const;
  });
  const wanted = [...from.meanings, ...to.meanings];
  return new Map([...byTerm, ...(wanted.length === 0 ? [] : [['', anyOf(wanted.flatMap(termsOf))] as const])]);
}

/** Finds the lines with a time stamp and any of the words. */
async function linesWith(asked: SpanQuestion, store: ContextStore, signal: AbortSignal): Promise<Known> {
  const finder = createLineFinder(store);
  const counts = new Map<string, number>();
  const places = new Map<string, LineRange>();
  for (const [term, pattern] of patternsOf(asked)) {
    const { matches, more } = await searchPlaces(store, pattern, { ignoreCase: true, limit: mostLines }, signal);
    counts.set(term, matches.length + more);
    for (const { document, startByte } of matches) {
      const place = { document, ...finder.around(document, startByte)! };
      places.set(`${document} ${place.startByte}`, place);
    }
  }
  const lines = [...places.values()].flatMap((place) => readLine(place, store) ?? []);
  return { counts, lines: lines.toSorted((a, b) => a.ms - b.ms) };
}

type LineRange = Pick<SpanLine, 'document' | 'startByte' | 'endByte'>;

function readLine({ document, startByte, endByte }: LineRange, store: ContextStore): SpanLine | null {
  const bytes = readBuffer(store, document, startByte, Math.min(endByte, startByte + longestLine));
  const text = withoutEnd(bytes).toString();
  const ms = readMoment(text)?.ms;
  if (ms === undefined) return null;
  const own = new Set(terms(withoutMoment(text)));
  const meanings = new Set([...own].map(meaningOf).filter((meaning) => meaning !== null));
  if (/->|→/.test(text)) meanings.add('change');
  return { document, startByte, endByte, text, ms, terms: own, meanings };
}

/** Returns the weight of each word of an end: rarer words weigh more; a word that does not occur weighs half. */
function weigh(asked: readonly string[], { counts, lines }: Known): ReadonlyMap<string, number> {
  const total = Math.max(2, lines.length);
  const countOf = (term: string) => Math.min(total, counts.get(term) ?? 0);
  const weights = asked.filter((term) => countOf(term) > 0).map((term) => Math.log(1 + total / (0.5 + countOf(term))));
  const usual = weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length);
  return new Map(
    asked.map((term) => [term, countOf(term) === 0 ? usual / 2 : Math.log(1 + total / (0.5 + countOf(term)))]),
  );
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * Creates the function that rates how much of an end a line reports, 0–1; 0 where it has none of the end's meanings.
 */
function createScore({ terms: asked, meanings }: SpanEnd, known: Known): (line: SpanLine) => number {
  const weights = weigh(asked, known);
  const all = sumOf([...weights.values()]);
  const partOf = (line: SpanLine, term: string, weight: number): number => {
    const meaning = meaningOf(term);
    if (line.terms.has(term)) return weight;
    return meaning !== null && line.meanings.has(meaning) ? sameMeaning * weight : 0;
  };
  return (line) => {
    if (all === 0 || (meanings.length > 0 && !meanings.some((one) => line.meanings.has(one)))) return 0;
    const told = sumOf([...weights].map(([term, weight]) => partOf(line, term, weight)));
    const share = meanings.length === 0 ? told / all : worthOfEnd + ((1 - worthOfEnd) * told) / all;
    return share * (/\?\s*$|\b(?:will|should|could|would|if|planned)\b/i.test(line.text) ? notYet : 1);
  };
}

interface Scored {
  readonly line: SpanLine;
  readonly score: number;
}

const chosenBy = (edge: SpanEnd['edge'], all: readonly Scored[]): Scored | undefined => {
  const best = all.reduce((most, { score }) => Math.max(most, score), 0);
  return all.filter(({ score }) => score >= nearlyBest * best).at(edge === 'first' ? 0 : -1);
};

/** Returns the duration that the best-matching line states; null where there is none. */
function statedSpan({ from }: SpanQuestion, known: Known): FoundDuration | null {
  const stating = known.lines.filter(({ text }) => statedDuration(text) !== null);
  const best = chosenBy(from.edge, enough(stating, createScore(from, known)));
  if (best === undefined) return null;
  const ms = statedDuration(best.line.text)!;
  return { ms, isStated: true, lines: [found(best)], certainty: sure * best.score, others: [] };
}

/** Measures from the line that matches one end best to the later line that matches the other best. */
function spanBetween({ from, to }: SpanQuestion, known: Known): FoundDuration | null {
  const [tellsFrom, tellsTo] = [createScore(from, known), createScore(to, known)];
  const start = chosenBy(from.edge, enough(known.lines, tellsFrom));
  if (start === undefined) return null;
  const later = known.lines.filter((line) => line.ms >= start.line.ms && line !== start.line);
  const beside = (line: SpanLine) => tellsTo(line) + sharedWeight * tellsFrom(line);
  const end = chosenBy(
    to.edge,
    enough(later, (line) => (tellsTo(line) < fewestTold ? 0 : beside(line))),
  );
  if (end === undefined) return null;
  const certainty = sure * start.score * Math.min(1, end.score);
  const ms = end.line.ms - start.line.ms;
  return { ms, isStated: false, lines: [found(start), found(end)], certainty, others: [] };
}

/**
 * Finds the time between two events that a question names, from the lines that match each best, or how long one event
 * took, as a line states it; null for other questions, and where no lines match well enough.
 */
export async function findSpan(
  question: string,
  store: ContextStore,
  signal: AbortSignal,
): Promise<FoundDuration | null> {
  const asked = readSpanQuestion(question);
  if (asked === null) return null;
  const known = await linesWith(asked, store, signal);
  // A term with a digit names one thing only: without it in the text, other lines are about something else.
  const isElsewhere = [...known.counts].some(([term, count]) => /\d/.test(term) && count === 0);
  if (isElsewhere) return null;
  return (asked.mayBeStated ? statedSpan(asked, known) : null) ?? spanBetween(asked, known);
}

const found = ({ line, score }: Scored): DurationLine => ({ ...line, share: Math.min(1, score) });

const enough = (lines: readonly SpanLine[], tells: (line: SpanLine) => number): Scored[] =>
  lines.map((line) => ({ line, score: tells(line) })).filter(({ score }) => score >= fewestTold);
