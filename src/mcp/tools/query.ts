import * as z from 'zod/mini';
import { RlmError } from '../../errors.ts';
import type { QueryResult } from '../../query/query-result.ts';
import { renderTables } from '../../query/render-tables.ts';
import { wholeNumber, words } from '../parameters.ts';
import { type Locate, located } from '../text/locate.ts';
import { type LocatedText, withDocumentText } from '../text/with-text.ts';
import { type Call, mcpTool } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

const input = z.object({
  sql: z.optional(words('One SELECT statement of SQLite. Without it, the tables are described.')),
  context: z.optional(words('Name of a loaded context.')),
  paths: z.optional(z.array(z.string()).check(z.describe('Files, folders and globs, instead of a context.'))),
  limit: z._default(wholeNumber(1, 1_000, 'Maximum number of rows.'), 100),
});

type Given = z.infer<typeof input>;

const value = z.nullable(z.union([z.string(), z.number()]));
const output = z.object({
  tables: z.nullable(z.string()).check(z.describe('Without sql: the tables, their columns and first rows.')),
  columns: z.array(z.string()),
  rows: z.array(z.array(value)),
  row_count: z.number().check(z.describe('Rows of the query, shown or not.')),
  citations: z
    .array(z.object({ source: z.string(), start_line: z.number(), end_line: z.number() }))
    .check(z.describe('Lines that the rows are from; none where they are computed from many rows.')),
  more_citations: z.number(),
  notes: z.array(z.string()),
});

type Found = z.infer<typeof output>;

/** Some clients hide a longer result from their model. */
const mostCharacters = 30_000;
const tablesCharacters = 10_000;

const noRows: Found = {
  tables: null,
  columns: [],
  rows: [],
  row_count: 0,
  citations: [],
  more_citations: 0,
  notes: [],
};

const toFound = ({ columns, rows, rowCount, citations, moreCitations, notes }: QueryResult, locate: Locate): Found => ({
  tables: null,
  columns: [...columns],
  rows: rows.map((row) => [...row]),
  row_count: rowCount,
  citations: citations
    .map(({ document: source, ...lines }) => located({ source, ...lines }, locate))
    .map(({ source, startLine, endLine }) => ({ source, start_line: startLine, end_line: endLine })),
  more_citations: moreCitations,
  notes: [...notes],
});

async function answer(
  { sql, limit }: Given,
  { signal, world }: Call,
  { context, locate }: LocatedText,
): Promise<Found> {
  if (sql === undefined) return { ...noRows, tables: renderTables(await context.tables({ signal }), tablesCharacters) };
  const { maxRows, maxCharacters } = world.configuration.settings.query;
  const wishes = { maxRows: Math.min(limit, maxRows), maxCharacters: Math.min(mostCharacters, maxCharacters) };
  try {
    return toFound(await context.query(sql, { signal, ...wishes }), locate);
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'query-invalid') throw error;
    throw new ToolFailure('invalid_sql', `${error.message}. ${error.hint}`);
  }
}

export const queryTool = mcpTool<Given, Found>({
  name: 'rlm_query',
  title: 'Query records by SQL',
  about:
    'Runs SQL over logs, CSV, JSON lines, chats, changelogs and the tables of Markdown and web pages: use it to count, sum, group, order and find the first or last. Calls no model. Without sql it describes the tables. Each row has the columns document and line.',
  input,
  output,
  isReadOnly: true,
  isIdempotent: true,
  asksModel: false,
  run: (given, call) =>
    withDocumentText({ context: given.context, paths: given.paths }, call, (text) => answer(given, call, text)),
  toText: ({ tables, columns, rows, notes }) =>
    tables ??
    [columns, ...rows]
      .map((row) => row.join(' | '))
      .concat(notes)
      .join('\n'),
});
