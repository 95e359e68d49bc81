import type { ContextStore } from '../document.ts';
import { documentKindOf } from '../kinds.ts';
import { createLineFinder } from '../lines.ts';
import { searchPlaces } from '../search/search.ts';
import { readBuffer, withoutEnd } from '../shown-text.ts';
import { terms } from '../words/terms.ts';
import type { DurationQuestion } from './duration-question.ts';
import { readMoment, withoutMoment } from './moments.ts';
import { statedDuration } from './stated-durations.ts';

/** A line about the subject of a question. */
export interface DurationLine {
  readonly document: number;
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
  readonly text: string;
  /** Its time in milliseconds; null where the line has no time stamp. */
  readonly ms: number | null;
  /** Share of the question's terms that it has, 0–1. */
  readonly share: number;
}

/** A duration, stated by one line or computed from the lines at its two ends. */
export interface FoundDuration {
  readonly ms: number;
  readonly isStated: boolean;
  readonly lines: readonly DurationLine[];
  /** How certain it is that the question asks for this duration, 0–1. */
  readonly certainty: number;
  /** Other durations that lines state or give, in milliseconds. */
  readonly others: readonly number[];
}

const mostLines = 5_000;
const longestLine = 2_000;
const fewestShared = 0.6;
const dayMs = 86_400_000;
const prose = new Set(['Markdown', 'HTML', 'PDF', 'Word document', 'reStructuredText']);

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** `retri` is the stem of `retry`. */
const beginningOf = (term: string): string => (term.length > 4 ? term.replace(/[iey]$/, '') : term);

/** Reads a time of day, for documents without dates, in milliseconds. */
function clockOf(line: string): number | null {
  const found = /^\W{0,3}(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?\b/.exec(line);
  if (found === null || Number(found[1]) > 23 || Number(found[2]) > 59) return null;
  const seconds = Number(`${found[3] ?? 0}.${found[4] ?? 0}`);
  return (Number(found[1]) * 60 + Number(found[2])) * 60_000 + Math.round(seconds * 1000);
}

/**
 * Creates the function that returns the share of terms that a line or its document's name has, 0–1; 0 where a token
 * is missing.
 */
function createScore({
  terms: asked,
  tokens,
}: Pick<DurationQuestion, 'terms' | 'tokens'>): (text: string, name: string) => number {
  const literals = tokens.map((token) => new RegExp(`(?<![a-z0-9])${literally(token)}(?![a-z0-9])`, 'i'));
  const all = asked.length + literals.length;
  return (text, name) => {
    if (!literals.every((one) => one.test(text))) return 0;
    const [said, named] = [new Set(terms(text)), new Set(terms(name))];
    const has = (all: ReadonlySet<string>, term: string) => [...all].some((one) => isOf(one, term));
    const known = asked.filter((term) => has(said, term));
    const byName =
      known.length + literals.length === 0 ? [] : asked.filter((term) => !known.includes(term) && has(named, term));
    return (literals.length + known.length + byName.length) / all;
  };
}

/** Whether a word has that stem or begins with it, as `rollout` does with `roll`. */
const isOf = (one: string, term: string): boolean =>
  one === term || (term.length >= shortestBeginning && one.startsWith(beginningOf(term)));

const shortestBeginning = 4;

/** Finds lines with most of the question's terms, in text order. */
export async function linesFor(
  asked: Pick<DurationQuestion, 'terms' | 'tokens'>,
  store: ContextStore,
  signal: AbortSignal,
): Promise<readonly DurationLine[]> {
  const pattern =
    asked.tokens.length > 0
      ? literally(asked.tokens[0]!)
      : asked.terms.map((one) => literally(beginningOf(one))).join('|');
  const scoreOf = createScore(asked);
  const finder = createLineFinder(store);
  const documents = store.documents.filter(({ name }) => !prose.has(documentKindOf(name))).map(({ name }) => name);
  if (documents.length === 0) return [];
  const options = { documents, ignoreCase: true, limit: mostLines };
  const { matches } = await searchPlaces(store, pattern, options, signal);
  const starts = new Map<string, DurationLine>();
  for (const { document, startByte: at } of matches) {
    const { startByte, endByte } = finder.around(document, at)!;
    const bytes = readBuffer(store, document, startByte, Math.min(endByte, startByte + longestLine));
    const text = withoutEnd(bytes).toString();
    const share = scoreOf(withoutMoment(text), store.documents[document]!.name);
    const ms = readMoment(text)?.ms ?? clockOf(text);
    const tells = ms !== null || documentKindOf(store.documents[document]!.name) === 'log';
    if (share >= fewestShared && tells && !/\?\s*$/.test(text))
      starts.set(`${document} ${startByte}`, { document, startByte, endByte, text, ms, share });
  }
  return [...starts.values()];
}

/** Returns a line without its counters: `failed=3` does not report an end. */
const withoutCounters = (text: string): string => text.replace(/[\w.-]+["']?\s?[=:]\s?["']?\d[\w.]*/g, ' ');
/** Whether a line reports only a plan, which has not happened. */
export const isPlan = (text: string): boolean =>
  /\b(?:will|won't|should|would|could|can|if|once|going to|gonna|tomorrow|planned|plan|scheduled|not|never|when)\b|'ll\b/i.test(
    text,
  );

export const says = ({ text }: DurationLine, pattern: RegExp): boolean => pattern.test(withoutCounters(text));

const namesDuration =
  /\b(?:took|elapsed|duration|runtime|run_time|lasted|total[ _]time|time[ _]taken)\b|\b(?:elapsed|duration)_/i;
const near = 3;

/** Whether a word for the end is near a word of the subject. */
function isBeside({ text }: DurationLine, { ends, terms: asked }: DurationQuestion): boolean {
  const words = withoutCounters(text).split(/[^\p{L}\p{N}'-]+/u);
  const own = [...words.keys()].filter((at) => terms(words[at]!).some((one) => asked.some((term) => isOf(one, term))));
  return own.some((at) => words.slice(Math.max(0, at - near), at + near + 1).some((word) => ends.test(word)));
}

/** Rates how reliably a line states how long the subject took; 0 where it does not. */
function rankStated(line: DurationLine, asked: DurationQuestion): number {
  const isEnd = says(line, asked.ends);
  if (!isEnd && !namesDuration.test(line.text) && line.share < 1) return 0;
  return line.share + (isEnd && isBeside(line, asked) ? 0.5 : 0) + (isEnd || namesDuration.test(line.text) ? 0.25 : 0);
}

/** Returns the duration that lines state at the end of the subject; null where none does. */
function statedBy(asked: DurationQuestion, lines: readonly DurationLine[]): FoundDuration | null {
  if (!asked.mayBeStated) return null;
  const all = lines.flatMap((line) => {
    const rank = rankStated(line, asked);
    const ms = rank > 0 && !isPlan(line.text) ? statedDuration(line.text) : null;
    return ms === null ? [] : [{ line, ms, rank }];
  });
  const best = Math.max(0, ...all.map(({ rank }) => rank));
  const found = all.filter(({ rank }) => rank === best);
  const chosen = found.at(asked.edge === 'first' ? 0 : -1);
  if (chosen === undefined) return null;
  const others = [...new Set(found.map(({ ms }) => ms))].filter((ms) => ms !== chosen.ms);
  const certainty = (others.length === 0 || asked.edge === 'last' ? stated : ambiguous) * chosen.line.share;
  return { ms: chosen.ms, isStated: true, lines: [chosen.line], certainty, others };
}

const stated = 0.9;
const computed = 0.75;
const ambiguous = 0.4;

/** Adds forms of the subject's own verb: `uploading` begins an upload, and `uploaded` ends it. */
function withOwnForms({
  begins,
  ends,
  terms: asked,
  mayBeStated,
}: DurationQuestion): Pick<DurationQuestion, 'begins' | 'ends'> {
  const stems = asked.filter((term) => term.length >= shortestBeginning).map((term) => literally(beginningOf(term)));
  if (!mayBeStated || stems.length === 0) return { begins, ends };
  const own = (ending: string) => `\\b(?:${stems.join('|')})[a-z]{0,3}${ending}\\b`;
  return {
    begins: new RegExp(`${begins.source}|${own('ing')}`, 'i'),
    ends: new RegExp(`${ends.source}|${own('ed')}`, 'i'),
  };
}

/** Pairs each line at which the subject begins with the next line at which it ends. */
function pairsOf(asked: DurationQuestion, lines: readonly DurationLine[]): FoundDuration[] {
  const { begins, ends } = withOwnForms(asked);
  const timed = lines.filter(({ ms, text }) => ms !== null && !isPlan(text));
  const dated = timed.filter(({ text }) => readMoment(text) !== null);
  const sorted = dated.length > 0 ? dated.toSorted((a, b) => a.ms! - b.ms!) : timed;
  const starts = sorted.filter((line) => says(line, begins));
  const best = Math.max(0, ...starts.map(({ share }) => share));
  const pairs: FoundDuration[] = [];
  let from = -1;
  for (const start of starts.filter(({ share }) => share === best)) {
    const at = sorted.indexOf(start);
    if (at <= from) continue;
    const end = sorted.findIndex((line, index) => index > at && says(line, ends) && line.document === start.document);
    if (end === -1) continue;
    from = end;
    const span = sorted[end]!.ms! - start.ms!;
    const ms = dated.length === 0 && span < 0 ? span + dayMs : span;
    pairs.push({ ms, isStated: false, lines: [start, sorted[end]!], certainty: computed * best, others: [] });
  }
  return pairs;
}

/** Words for continuing, which do not name the subject. */
const goingOn = new Set(terms('keep kept try trying go going continue'));

/**
 * Measures from the first to the last line with the question's tokens, and with its other words where any line has
 * them.
 */
async function spanOf(
  asked: DurationQuestion,
  store: ContextStore,
  signal: AbortSignal,
): Promise<FoundDuration | null> {
  const what = asked.terms.filter((term) => !goingOn.has(term));
  const all = await linesFor({ ...asked, terms: [] }, store, signal);
  const told = all.filter(({ text }) => terms(text).some((one) => what.some((term) => isOf(one, term))));
  const timed = (told.length > 0 ? told : all).filter(({ ms }) => ms !== null);
  const sorted = timed.toSorted((a, b) => a.ms! - b.ms!);
  const [start, end] = [sorted[0], sorted.at(-1)];
  if (start === undefined || end === undefined || start === end) return null;
  return { ms: end.ms! - start.ms!, isStated: false, lines: [start, end], certainty: ambiguous, others: [] };
}

/**
 * Finds how long something lasted: as a line states it, else from the lines at its ends; null where there are none.
 */
export async function findDuration(
  asked: DurationQuestion,
  store: ContextStore,
  signal: AbortSignal,
): Promise<FoundDuration | null> {
  const lines = await linesFor(asked, store, signal);
  const said = statedBy(asked, lines);
  if (said !== null) return said;
  const pairs = pairsOf(asked, lines);
  const chosen = pairs.at(asked.edge === 'first' ? 0 : -1);
  if (chosen === undefined) return asked.lasts && asked.tokens.length > 0 ? spanOf(asked, store, signal) : null;
  const others = pairs.filter((one) => one !== chosen).map(({ ms }) => ms);
  const certainty = others.length > 0 && asked.edge === 'first' ? ambiguous : chosen.certainty;
  return { ...chosen, certainty, others };
}
