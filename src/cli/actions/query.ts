import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import { type ExitCode, RlmError } from '../../errors.ts';
import { type Context, type QueryResult, renderTables } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { table } from '../render/table.ts';
import { printable, toJson } from '../terminal.ts';
import { withContext } from './with-context.ts';

const sqlStart = /^(?:\s|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values|explain)\b/i;
const schemaCharacters = 100_000;

/** Whether the first argument is a path: one that exists or is piped text, or a word that is no SQL. */
const isPath = (argument: string): boolean =>
  argument === '-' || existsSync(resolve(argument)) || (!sqlStart.test(argument) && !/\s/.test(argument));

/** Returns the SQL, or null for the tables, and the paths. */
function readArguments({ args }: Invocation): { readonly sql: string | null; readonly paths: readonly string[] } {
  const [first, rest = []] = args as [string | undefined, readonly string[] | undefined];
  if (first === undefined) return { sql: null, paths: rest };
  return isPath(first) ? { sql: null, paths: [first, ...rest] } : { sql: first, paths: rest };
}

/** Parses --max-rows. Undefined when it is not given. Throws RlmError `usage`. */
function maxRowsOption({ options }: Invocation): number | undefined {
  const value = options['maxRows'] as string | undefined;
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,7}$/.test(value)) return Number(value);
  throw new RlmError('usage', `--max-rows cannot be "${value}"`, { hint: 'Give an integer from 1.' });
}

const cellOf = (value: unknown): string => (value === null ? '' : String(value));

/** Formats a result as aligned columns. Line ends within cells would break the rows. */
const renderRows = ({ columns, rows }: QueryResult): string =>
  table(
    [columns, ...rows.map((row) => row.map(cellOf))].map((row) =>
      row.map((cell) => printable(cell).replace(/\s+/g, ' ')),
    ),
  );

const toCsv = ({ columns, rows }: QueryResult): string =>
  `${Papa.unparse([[...columns], ...rows.map((row) => [...row])], { newline: '\n' })}\n`;

function writeResult(result: QueryResult, { options, stdout, stderr }: Invocation): void {
  if (options['json'] === true) stdout.write(toJson(result, 2));
  else stdout.write(options['csv'] === true ? toCsv(result) : renderRows(result));
  if (options['json'] === true) return;
  if (result.rows.length === 0) stderr.write('rlm: no row\n');
  for (const note of result.notes) stderr.write(`rlm: ${printable(note)}\n`);
}

async function showTables(context: Context, { options, stdout }: Invocation, signal: AbortSignal): Promise<void> {
  const description = await context.tables({ signal });
  const text = () => `${printable(renderTables(description, schemaCharacters))}\n`;
  stdout.write(options['json'] === true ? toJson(description, 2) : text());
}

/** Runs `rlm query`. */
export function runQuery(invocation: Invocation): Promise<ExitCode> {
  const { sql, paths } = readArguments(invocation);
  const maxRows = maxRowsOption(invocation);
  return withContext(invocation, paths, async (context, signal): Promise<ExitCode> => {
    if (context.documents.length === 0) {
      const hint = 'Give files (rlm query "select …" logs/) or pipe text in (cat a.csv | rlm query "select …").';
      throw new RlmError('no-text', 'there is no text to query', { hint });
    }
    if (sql === null) await showTables(context, invocation, signal);
    else writeResult(await context.query(sql, { signal, maxRows }), invocation);
    return 0;
  });
}
