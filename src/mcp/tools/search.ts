import * as z from 'zod/mini';
import { beginning } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import { renderTables } from '../../query/render-tables.ts';
import { ToolFailure, wholeNumber, words } from '../arguments.ts';
import { linesAt, linesField, placeFields, withDocumentText } from '../text/documents.ts';
import { mcpTool, reading } from '../tool.ts';

const textFields = {
  context: z.optional(words('Name of a loaded context.')),
  paths: z.optional(z.array(z.string()).check(z.describe('Files, folders and globs, instead of a context.'))),
};

/** Maximum total length of the passages, in UTF-16 units. Some clients hide a longer text from their model. */
const mostText = 40_000;
const mostPassage = 3_000;
const mostRows = 30_000;
const mostTables = 10_000;

export const searchTool = mcpTool({
  name: 'rlm_search',
  title: 'Search a large text',
  about:
    'Finds passages by words, or every line that matches a pattern, in a loaded context or in files. Calls no model. Use it to look something up; use rlm_ask to answer a question.',
  input: z.object({
    query: z.optional(words('Words to search for; the best passages are returned.')),
    pattern: z.optional(words('A regular expression, instead of query; every matching line is returned.')),
    ...textFields,
    ignore_case: z._default(z.boolean().check(z.describe('Whether pattern ignores case.')), false),
    limit: z._default(wholeNumber(1, 200, 'Maximum number of passages or lines.'), 10),
  }),
  output: z.object({
    found: z.array(z.object({ ...placeFields, ...linesField, text: z.string() })),
    more: z.number().check(z.describe('Matches that are not shown; a lower bound when the search stopped early.')),
    warnings: z.array(z.string()).check(z.describe('Parts of the text that were not read.')),
  }),
  ...reading,
  async run({ query, pattern, ignore_case: ignoreCase, limit, ...where }, call) {
    if ((query === undefined) === (pattern === undefined))
      throw new ToolFailure('invalid_arguments', 'Give either query or pattern.');
    const { signal } = call;
    return withDocumentText(where, call, async ({ context, locate }) => {
      const lines = pattern === undefined ? null : await context.search(pattern, { ignoreCase, limit, signal });
      const all =
        lines?.matches.map((match) => ({ ...match, startLine: match.line, endLine: match.line })) ??
        (await context.passages(query!, { limit, signal }));
      let left = mostText;
      const shown = all.filter(({ text }, index) => {
        left -= Math.min(text.length, mostPassage);
        return index === 0 || left >= 0;
      });
      const found = shown.map(({ text, ...one }) => ({
        ...linesAt(one, locate),
        text: text.length > mostPassage ? `${beginning(text, mostPassage)}…` : text,
      }));
      return { found, more: (lines?.more ?? 0) + all.length - shown.length, warnings: [...context.warnings] };
    });
  },
  toText: ({ found, more, warnings }) =>
    [
      ...(found.length === 0 ? ['Nothing was found.'] : []),
      ...found.map(({ source, start_line: from, end_line: to, lines = `${from}-${to}`, text }) =>
        from === to ? `${source}:${from}: ${text}` : `${source}:${lines}\n${text}\n`,
      ),
      ...(more > 0 ? [`More matches, not shown: ${more}.`] : []),
      ...warnings,
    ].join('\n'),
});

const noRows = { tables: null, columns: [], rows: [], row_count: 0, citations: [], more_citations: 0 };

function asInvalidSql(error: unknown): never {
  if (!(error instanceof RlmError) || error.code !== 'query-invalid') throw error;
  throw new ToolFailure('invalid_sql', `${error.message}. ${error.hint}`);
}

export const queryTool = mcpTool({
  name: 'rlm_query',
  title: 'Query records by SQL',
  about:
    'Runs SQL over logs, CSV, JSON lines, chats, changelogs and the tables of Markdown and web pages: use it to count, sum, group, order and find the first or last. Calls no model. Without sql it describes the tables. Each row has the columns document and line.',
  input: z.object({
    sql: z.optional(words('One SELECT statement of SQLite. Without it, the tables are described.')),
    ...textFields,
    limit: z._default(wholeNumber(1, 1_000, 'Maximum number of rows.'), 100),
  }),
  output: z.object({
    tables: z.nullable(z.string()).check(z.describe('Without sql: the tables, their columns and first rows.')),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.nullable(z.union([z.string(), z.number()])))),
    row_count: z.number().check(z.describe('Rows of the query, shown or not.')),
    citations: z
      .array(z.object({ ...placeFields, ...linesField }))
      .check(z.describe('Lines that the rows are from; none where they are computed from many rows.')),
    more_citations: z.number(),
    notes: z.array(z.string()),
  }),
  ...reading,
  run: ({ sql, limit, ...where }, call) =>
    withDocumentText(where, call, async ({ context, locate }) => {
      const { signal, world } = call;
      const { warnings } = context;
      if (sql === undefined) {
        const tables = renderTables(await context.tables({ signal }), mostTables);
        return { ...noRows, tables, notes: [...warnings] };
      }
      const { query } = world.configuration.settings;
      const maxRows = Math.min(limit, query.maxRows);
      const maxCharacters = Math.min(mostRows, query.maxCharacters);
      const found = await context.query(sql, { signal, maxRows, maxCharacters }).catch(asInvalidSql);
      return {
        tables: null,
        columns: [...found.columns],
        rows: found.rows.map((row) => [...row]),
        row_count: found.rowCount,
        citations: found.citations.map(({ document: source, ...lines }) => linesAt({ source, ...lines }, locate)),
        more_citations: found.moreCitations,
        notes: [...found.notes, ...warnings],
      };
    }),
  toText: ({ tables, columns, rows, notes }) =>
    [...(tables === null ? [columns, ...rows].map((row) => row.join(' | ')) : [tables]), ...notes].join('\n'),
});
