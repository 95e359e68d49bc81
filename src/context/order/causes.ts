import type { Passage } from '../../state.ts';
import { chunkAt } from '../chunk-at.ts';
import type { ContextStore } from '../document.ts';
import { searchPlaces } from '../search/search.ts';
import { contentTerms } from '../words/terms.ts';
import { changeLines } from './events.ts';
import { type PlacedLine, timedLines } from './find-lines.ts';
import { sortByTime, type TimedLine } from './moments.ts';

/** Words that a change has to share with the failure that it may have caused, at least. */
const fewestShared = 3;
const mostChanges = 2;
const strong = /\b(?:changed|lowered|raised|reduced|increased|set|switched|deployed|upgraded)\b.*\bfrom \S+ to \S/i;
const numeric = /^[\d.:tz/-]+$/;

const wordsOf = (text: string): Set<string> => new Set(contentTerms(text).filter((term) => !numeric.test(term)));

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  return shared;
}

/** Picks from lines the changes before a failure that share the most words with it, in the order of time. */
export function pickChanges<Line extends TimedLine>(failure: TimedLine, lines: readonly Line[]): Line[] {
  const words = wordsOf(failure.text);
  const rated = sortByTime(lines)
    .filter(({ text, moment }) => moment.ms < failure.moment.ms && strong.test(text))
    .map((line) => ({ line, shared: countShared(words, wordsOf(line.text)) }))
    .filter(({ shared }) => shared >= fewestShared);
  const most = rated.reduce((best, { shared }) => Math.max(best, shared), 0);
  return rated
    .filter(({ shared }) => shared === most)
    .slice(0, mostChanges)
    .map(({ line }) => line);
}

const causeLines = 'root cause|caused by|because|due to|ursache';
const statesCause = new RegExp(causeLines, 'i');
const mostStatements = 200;
const shownStatements = 2;

/**
 * Picks from texts that state a cause, themselves or in their heading, the one that shares the most words with a
 * failure; null where none shares enough.
 */
export function pickStatement<Statement extends { readonly text: string; readonly under: string }>(
  failure: string,
  statements: readonly Statement[],
): Statement | null {
  const words = wordsOf(failure);
  const rated = statements
    .filter(({ text, under }) => statesCause.test(text) || statesCause.test(under.split('\n').at(-1)!))
    .map((one) => ({ one, shared: countShared(words, wordsOf(one.text)) }))
    .filter(({ shared }) => shared >= fewestShared)
    .sort((left, right) => right.shared - left.shared);
  return rated[0]?.one ?? null;
}

/** Finds the passages that mention a cause and share the most words with a failure. */
async function statedCauses(store: ContextStore, failure: TimedLine, signal: AbortSignal): Promise<Passage[]> {
  const options = { ignoreCase: true, limit: mostStatements };
  const { matches } = await searchPlaces(store, causeLines, options, signal);
  const words = wordsOf(failure.text);
  const chunks = new Set(matches.map(({ document, startByte }) => chunkAt(store, document, startByte)));
  return [...chunks]
    .map((index) => store.passage(store.chunk(index), 0))
    .map((passage) => ({ passage, shared: countShared(words, wordsOf(passage.text)) }))
    .filter(({ shared }) => shared >= fewestShared)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, shownStatements)
    .map(({ passage }) => passage);
}

/** Finds where a text may state what caused a failure: changes before it, and statements of a cause. */
export async function findCauses(
  store: ContextStore,
  failure: PlacedLine,
  signal: AbortSignal,
): Promise<{ readonly changes: readonly PlacedLine[]; readonly statements: readonly Passage[] }> {
  const changes = pickChanges(failure, await timedLines(store, { source: changeLines, ignoreCase: true }, signal));
  return { changes, statements: await statedCauses(store, failure, signal) };
}
