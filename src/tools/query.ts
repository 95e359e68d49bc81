import * as z from 'zod/mini';
import { counted } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import { describeTables, type QueriedText, query as runQuery } from '../query/query.ts';
import { type CitedLines, leftOut, type QueryLimits, type QueryResult } from '../query/query-result.ts';
import { renderTables } from '../query/render-tables.ts';
import type { Passage } from '../state.ts';
import { page, plainBlock, shownCell } from './page.ts';
import { passageAt } from './places.ts';
import { type Bounds, type FittingResult, type Tool, type ToolWorld, textParameter } from './tool.ts';
import { ToolError } from './tool-error.ts';

const parameters = z.object({ sql: z.optional(textParameter('one SELECT; without it lists the tables')) });

export type QueryWorld = Pick<ToolWorld, 'store' | 'bounds' | 'compute' | 'signal'>;

/** Returns the default limits of `rlm query`, but only as many rows and characters as fit the result. */
const limitsFor = ({ characters, lines }: Bounds, timeoutMs = 60_000): QueryLimits => ({
  megabytes: 250,
  timeoutMs,
  memoryMb: 1_024,
  rows: lines,
  characters,
});

/** Codes of errors that the model can correct. */
const mendable: readonly string[] = ['query-invalid', 'query-limit'];

async function forModel<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RlmError && mendable.includes(error.code))
      throw new ToolError(`${error.message}. ${error.hint}`);
    throw error;
  }
}

const placeOf = ({ document, startLine, endLine }: CitedLines): string =>
  `${document}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;

const mostComputed = 50;

const mostPlaces = 10;
const fewPlaces = 3;

function placesNamed({ citations, moreCitations }: QueryResult) {
  const all = citations.length + moreCitations;
  const named = all > mostPlaces ? citations.slice(0, fewPlaces) : citations;
  return { named, more: all - named.length };
}

const furtherPlaces = (more: number): string => (more === 0 ? '' : `, and ${counted(more, 'more place')}`);

function computedOf({ sql, columns, rows, rowCount }: QueryResult, world: QueryWorld): Passage {
  const lines = rows.slice(0, mostComputed).map((row) => row.map(shownCell).join(' | '));
  const more = rowCount > lines.length ? [`… ${counted(rowCount - lines.length, 'more row')}`] : [];
  return world.compute({ by: 'query', code: sql, output: [columns.join(' | '), ...lines, ...more].join('\n') });
}

function showResult(result: QueryResult, world: QueryWorld): FittingResult {
  const { columns, rows, rowCount, citations } = result;
  const computed = computedOf(result, world);
  const places = citations.map((cited) => ({ cited, passage: passageAt(world.store, cited) }));
  const { named, more } = placesNamed(result);
  const from = places
    .slice(0, named.length)
    .map(({ cited, passage }) => (passage === null ? '' : `[${passage.id}] `) + placeOf(cited));
  const notes = result.notes.filter((note) => note !== leftOut(rows.length, result));
  const blocks = [`[${computed.id}] ${columns.join(' | ')}`, ...rows.map((row) => row.map(shownCell).join(' | '))];
  const end = (shown: number) => [
    ...(rowCount === 0 ? ['No row.'] : []),
    ...(from.length === 0 ? [] : [`From ${from.join(', ')}${furtherPlaces(more)}`]),
    ...(shown - 1 < rowCount ? [leftOut(Math.max(0, shown - 1), result)] : []),
    ...notes,
  ];
  const passages = [computed, ...places.flatMap(({ passage }) => passage ?? [])];
  return page({ blocks: blocks.map(plainBlock), end, cited: () => passages });
}

/** Runs a query for a model. Throws ToolError for a failure that the model can correct. */
export const queryForModel = async (sql: string, texts: QueriedText, world: QueryWorld): Promise<FittingResult> =>
  showResult(await forModel(runQuery(texts, sql, limitsFor(world.bounds), world.signal)), world);

/** Describes the tables in at most 4,000 characters. Throws ToolError if a limit is exceeded. */
export const describeRecords = async (texts: QueriedText, { bounds, signal }: QueryWorld): Promise<string> =>
  renderTables(await forModel(describeTables(texts, limitsFor(bounds), signal)), Math.min(bounds.characters, 4_000));

/**
 * Runs a query for a model's code, and returns all rows.
 * @returns `given.places`: the source lines of the rows (if many, only the first); `computed`: the passage to cite.
 * @throws ToolError for a failed query, and for more rows than fit the bounds.
 */
export async function queryForCode(sql: string, world: QueryWorld, timeoutMs: number) {
  const result = await forModel(runQuery(world.store, sql, limitsFor(world.bounds, timeoutMs), world.signal));
  const { columns, rows, notes } = result;
  if (rows.length < result.rowCount)
    throw new ToolError(
      `the query has more than ${counted(rows.length, 'row')}, too many at once: count, group or choose in SQL, or take parts with LIMIT and OFFSET`,
    );
  const { named: places, more } = placesNamed(result);
  const from = places.length === 0 ? '' : `From ${places.map(placeOf).join(', ')}${furtherPlaces(more)}`;
  return { given: { columns, rows, notes, places, from }, computed: computedOf(result, world) };
}

export const query: Tool<z.infer<typeof parameters>> = {
  name: 'query',
  about:
    'Runs SQL (SQLite) over records (logs, tables, JSON, mail) and lines(document, number, text): exact counts, sums, orders. Order by the unrounded value: rounded ones tie.',
  parameters,
  example: { sql: 'select level, count(*) from log group by 1' },
  needs: 'records',
  async run({ sql }, world) {
    const texts = world.questions?.tables.beside(world.store) ?? world.store;
    return sql === undefined ? describeRecords(texts, world) : queryForModel(sql, texts, world);
  },
};
