import { createPacer, type Pacer } from '../../base/pacer.ts';
import type { TextSource } from '../shown-text.ts';
import { computeTables, type TableQuery, type TableResult } from './compute.ts';
import { type Profile, profileTable } from './profile.ts';
import type { TableReading } from './query.ts';
import { readTableQuestion } from './question/read-question.ts';
import { phrasesOf } from './question/tags.ts';
import { readTokens } from './question/tokens.ts';
import { asTable, type Table } from './rows/recognise.ts';

/** A reading of a question with what it comes to. */
export interface Computed {
  readonly result: TableResult;
  readonly certainty: number;
  /** As in the reading. */
  readonly assumes: string | null;
}

const sliceMs = 20;
const mostReadings = 4;

/** Questions that may ask for what code can compute of a table. */
const computing =
  /\b(?:how (?:many|much|often)|number of|count|total|sum|combined|average|mean|avg|highest|longest|shortest|largest|biggest|greatest|max(?:imum)?|peak|lowest|smallest|min(?:imum)?|latest|newest|earliest|oldest|most|fewest|least|top|bottom|common(?:est)?|distinct|unique)\b/i;

/** Questions that ask for more than that, or for something else. */
const beyond =
  /\b(?:why|who|whom|when|should|would|could|explain|describe|summari[sz]e|compare[ds]?|difference|trend|correlat\w*|percent(?:age)?|share|ratio|median)\b/i;

/** Tells a query from others, with the names of its columns in place of their numbers. */
function keyOf({ query, profile }: TableQuery): string {
  const nameOf = (index: number | null) => (index === null ? null : profile.columns[index]!.name.toLowerCase());
  const { column, group, filters, ...rest } = query;
  return JSON.stringify(
    [
      nameOf(column),
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

/** All rows of a table are counted because of its name alone: where there are other documents, they may be meant. */
const byNameAlone = 0.75;

const isByName = ({ query: { aggregate, column, filters } }: TableQuery): boolean =>
  aggregate === 'count' && column === null && filters.length === 0;

/** Readings of the same certainty, or nearly so, with another result: none of them is certain. */
const nearlyAs = 0.85;
const undecided = 0.5;

function withDoubt(all: readonly Computed[]): readonly Computed[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const isClose = others.some(({ certainty }) => certainty >= first.certainty * nearlyAs);
  return isClose ? [{ ...first, certainty: Math.min(first.certainty, undecided) }, ...others] : all;
}

/** The tables among documents. */
function findTables(store: TextSource, documents: readonly number[]): readonly Table[] {
  return documents.flatMap((document) => asTable(store, document) ?? []);
}

function createAbortablePacer(signal: AbortSignal): Pacer {
  const pace = createPacer(sliceMs);
  return () => pace()?.then(() => signal.throwIfAborted());
}

/**
 * What a question asks of tables, computed over all of their rows, the likeliest reading first; none where it asks for
 * nothing that code can compute for certain.
 * @param documents those that are asked about.
 */
export async function computeAnswers(
  store: TextSource,
  question: string,
  documents: readonly number[],
  signal: AbortSignal,
): Promise<readonly Computed[]> {
  if (!computing.test(question) || beyond.test(question)) return [];
  const tables = findTables(store, documents);
  if (tables.length === 0) return [];
  const tokens = readTokens(question);
  const phrases = phrasesOf(tokens);
  const pace = createAbortablePacer(signal);
  const asked: Asked[] = [];
  for (const table of tables) {
    const profile: Profile = await profileTable(table, phrases, pace);
    // What can hardly be read is no table.
    if (profile.broken > profile.rows) continue;
    const readings: readonly TableReading[] = readTableQuestion(tokens, profile);
    asked.push(...readings.map((one): Asked => ({ ...one, profile })));
  }
  // Among several tables, nothing says of which a word that none explains may be a row.
  const known = tables.length > 1 ? asked.filter(({ assumes }) => assumes === null) : asked;
  const ranked = groupByQuery(known)
    .map((group) => ({ group, certainty: Math.max(...group.map(({ certainty }) => certainty)) }))
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, mostReadings);
  const computed: Computed[] = [];
  for (const { group, certainty } of ranked) {
    const { assumes } = group[0]!;
    const result = await computeTables(group, pace);
    const readShare = 1 - result.unread / Math.max(1, result.rowsSeen);
    const share = isByName(group[0]!) && tables.length < documents.length ? byNameAlone : 1;
    computed.push({ result, certainty: certainty * readShare * share, assumes });
  }
  return withDoubt(computed);
}
