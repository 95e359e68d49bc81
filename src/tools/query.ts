import * as z from 'zod/mini';
import { counted } from '../base/counted.ts';
import type { ContextStore } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import { describeTables, query as runQuery } from '../query/query.ts';
import { type CitedLines, leftOut, type QueryResult } from '../query/query-result.ts';
import { renderTables } from '../query/render-tables.ts';
import type { QueryLimits } from '../query/thread/messages.ts';
import { createPage } from './page.ts';
import { text } from './parameters.ts';
import { chunksOfLines, stretchesOf } from './places.ts';
import type { Bounds, Tool, ToolWorld } from './tool.ts';
import { ToolError } from './tool-error.ts';

const parameters = z.object({
  sql: z.optional(text('one SELECT of SQLite; without it, the tables are described')),
});

/** As the shipped settings of `rlm query`, with rows that fit the result. */
const limitsFor = ({ characters, lines }: Bounds): QueryLimits => ({
  megabytes: 250,
  timeoutMs: 60_000,
  memoryMb: 1_024,
  rows: lines,
  characters,
});

/** Errors that the model can mend. */
const mendable: readonly string[] = ['query-invalid', 'query-limit'];

async function mended<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RlmError && mendable.includes(error.code))
      throw new ToolError(`${error.message}. ${error.hint}`);
    throw error;
  }
}

/** Returns the index of the passage that holds the first of the lines. */
function passageAt(store: ContextStore, { document, startLine }: CitedLines): number | null {
  for (const stretch of stretchesOf(store, document)) {
    const [index] = chunksOfLines(store, stretch, startLine, startLine);
    if (index !== undefined) return index;
  }
  return null;
}

const placeOf = ({ document, startLine, endLine }: CitedLines): string =>
  `${document}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;

/** Shows where the rows are from, with the ids of the passages, which can be cited from then on. */
function placesLine({ citations, moreCitations }: QueryResult, { contexts }: ToolWorld): string {
  const whole = contexts.get();
  const shown = citations.map((cited) => ({ cited, index: passageAt(whole.store, cited) }));
  contexts.show(whole, [...new Set(shown.flatMap(({ index }) => index ?? []))]);
  const places = shown.map(({ cited, index }) =>
    index === null ? placeOf(cited) : `[P${whole.store.chunk(index).number}] ${placeOf(cited)}`,
  );
  return `From ${places.join(', ')}${moreCitations === 0 ? '' : `, and ${counted(moreCitations, 'more place')}`}`;
}

const cellOf = (value: unknown): string => (value === null ? 'NULL' : String(value).replace(/\s+/g, ' '));

function showResult(result: QueryResult, world: ToolWorld): string {
  const { columns, rows, rowCount, citations } = result;
  const places = citations.length === 0 ? [] : [placesLine(result, world)];
  const notes = result.notes.filter((note) => note !== leftOut(rows.length, result));
  const kept = [...places, ...notes, leftOut(rowCount, result)];
  const page = createPage(world.bounds, { characters: kept.join('\n').length + 1, lines: kept.length });
  page.add(columns.join(' | '));
  const full = rows.findIndex((row) => !page.add(row.map(cellOf).join(' | ')));
  const shown = full === -1 ? rows.length : full;
  const more = shown < rowCount ? [leftOut(shown, result)] : [];
  return page.end([...(rowCount === 0 ? ['No row.'] : []), ...places, ...more, ...notes]);
}

/** Runs SQL over the records of the text. */
export const query: Tool<z.infer<typeof parameters>> = {
  name: 'query',
  about:
    'Runs SQL (SQLite) over the records of the text: logs, CSV, JSON, tables, chats, changelogs, and lines(document, number, text) of everything. Counts, sums, groups and orders exactly. Each row has document and line.',
  parameters,
  example: { sql: "select level, count(*) from log where time >= '2026-03-17T14:00' group by 1" },
  needs: 'text',
  async run({ sql }, world) {
    const { store, bounds, signal } = world;
    const limits = limitsFor(bounds);
    if (sql !== undefined) return showResult(await mended(runQuery(store, sql, limits, signal)), world);
    return renderTables(await mended(describeTables(store, limits, signal)), bounds.characters);
  },
};
