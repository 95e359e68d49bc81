import { createPacer, type Pacer } from '../../base/pacer.ts';
import type { TextSource } from '../shown-text.ts';
import { computeTables, type TableQuery, type TableResult } from './compute.ts';
import { withDurations } from './durations.ts';
import { type Profile, profileTable } from './profile.ts';
import type { TableReading } from './query.ts';
import { inPlainWords } from './question/plain-text.ts';
import { readTableQuestion } from './question/read-question.ts';
import { superlativeWords } from './question/superlative-words.ts';
import { readTokens } from './question/tokens.ts';
import { phrasesOf } from './question/value-words.ts';
import { type Table, tablesOf } from './rows/recognise.ts';

/** A reading of a question with its computed result. */
export interface TableAnswer {
  readonly result: TableResult;
  readonly certainty: number;
  /** As in the reading. */
  readonly assumes: string | null;
  /** As in the reading. */
  readonly unused: readonly string[];
}

const sliceMs = 20;
/** Least certainty of a reading of a table within other text, which may itself be the subject of the question. */
const leastEmbedded = 0.5;
const mostReadings = 4;

/** Matches questions that may ask for what code can compute from a table. */
const computing = new RegExp(
  `\\b(?:how (?:many|much|often)|number of|count|total|sum|combined|average|mean|avg|highest|largest|biggest|greatest|max(?:imum)?|peak|lowest|smallest|min(?:imum)?|most|fewest|least|top|bottom|common(?:est)?|distinct|unique|${superlativeWords})\\b`,
  'i',
);
/** Matches superlatives: with one, `when` and `who` ask for a cell of the row that it selects. */
const ranking = new RegExp(
  `\\b(?:highest|largest|biggest|lowest|smallest|most|fewest|least|${superlativeWords})\\b`,
  'i',
);

/** Matches questions that ask for more than code computes. */
const beyond =
  /\b(?:why|should|would|could|explain|describe|summari[sz]e|compare[ds]?|difference|trend|correlat\w*|percent(?:age)?|share|ratio|median)\b/i;

/** Returns a key of a query, with the names of its columns instead of their indexes. */
function keyOf({ query, profile }: TableQuery): string {
  const nameOf = (index: number | null) => (index === null ? null : profile.columns[index]!.name.toLowerCase());
  const { column, group, filters, label, ...rest } = query;
  return JSON.stringify(
    [
      nameOf(column),
      nameOf(label),
      group && [nameOf(group.column), group.part],
      filters.map((one) => ({ ...one, values: null, column: nameOf(one.column) })),
      rest,
    ],
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
  );
}

interface Asked extends TableQuery, TableReading {}

function groupByQuery(asked: readonly Asked[]): Asked[][] {
  const groups = new Map<string, Asked[]>();
  for (const one of asked) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}

/** Factor for counting all rows of a table because of its name alone: other documents may be meant. */
const byNameAlone = 0.75;

const isByName = ({ query: { aggregate, column, filters } }: TableQuery): boolean =>
  aggregate === 'count' && column === null && filters.length === 0;

/** Readings with nearly the same certainty but different results: none of them is certain. */
const nearlyAs = 0.85;
const undecided = 0.5;

function withDoubt(all: readonly TableAnswer[]): readonly TableAnswer[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const isClose = others.some(({ certainty }) => certainty >= first.certainty * nearlyAs);
  return isClose ? [{ ...first, certainty: Math.min(first.certainty, undecided) }, ...others] : all;
}

/** Returns the tables in documents. */
function findTables(store: TextSource, documents: readonly number[]): readonly Table[] {
  return documents.flatMap((document) => tablesOf(store, document));
}

/** Profiles a table, and again with a column of durations where the question asks for them. */
async function profileFor(question: string, table: Table, phrases: readonly string[], pace: Pacer): Promise<Profile> {
  const profile = await profileTable(table, phrases, pace);
  const timed = withDurations(question, profile);
  return timed === null ? profile : await profileTable(timed, phrases, pace);
}

function createAbortablePacer(signal: AbortSignal): Pacer {
  const pace = createPacer(sliceMs);
  return () => pace()?.then(() => signal.throwIfAborted());
}

/**
 * Computes what a question asks about tables, over all their rows, the likeliest reading first; none where code cannot
 * compute it reliably. Rejects with the signal's reason.
 * @param documents indexes of the documents that the question is about.
 */
export async function computeAnswers(
  store: TextSource,
  question: string,
  documents: readonly number[],
  signal: AbortSignal,
): Promise<readonly TableAnswer[]> {
  const plain = inPlainWords(question);
  if (!computing.test(plain) || beyond.test(plain)) return [];
  if (/\b(?:who|whom|when)\b/i.test(plain) && !ranking.test(plain)) return [];
  const tables = findTables(store, documents);
  if (tables.length === 0) return [];
  const tokens = readTokens(plain);
  const phrases = phrasesOf(tokens);
  const pace = createAbortablePacer(signal);
  const asked: Asked[] = [];
  for (const table of tables) {
    const profile = await profileFor(plain, table, phrases, pace);
    // A document with mostly broken rows is not a table.
    if (profile.broken > profile.rows) continue;
    const least = table.heading === null ? 0 : leastEmbedded;
    const readings = readTableQuestion(tokens, profile).filter(({ certainty }) => certainty >= least);
    asked.push(...readings.map((one): Asked => ({ ...one, profile })));
  }
  // With several tables, it is open whose rows an unexplained word means.
  const known = tables.length > 1 ? asked.filter(({ assumes }) => assumes === null) : asked;
  const ranked = groupByQuery(known)
    .map((group) => ({ group, certainty: Math.max(...group.map(({ certainty }) => certainty)) }))
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, mostReadings);
  const computed: TableAnswer[] = [];
  for (const { group, certainty } of ranked) {
    const { assumes, unused } = group[0]!;
    const result = await computeTables(group, pace);
    const readShare = 1 - result.unread / Math.max(1, result.rowsSeen);
    const isAlone = tables.length >= documents.length && tables.every(({ heading }) => heading === null);
    const share = isByName(group[0]!) && !isAlone ? byNameAlone : 1;
    computed.push({ result, certainty: certainty * readShare * share, assumes, unused });
  }
  return withDoubt(computed);
}
