import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Context, openContext } from '../../api/open-context.ts';
import { counted, textTable } from '../../base/text.ts';
import { renderDescription } from '../../context/description.ts';
import type { SearchMatch, SearchResult } from '../../context/search/search.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { QueryResult } from '../../query/query-result.ts';
import { renderTables } from '../../query/render-tables.ts';
import { type Invocation, numberOption } from '../command.ts';
import { configured, type Limited, withinTimeout } from '../configured.ts';
import { settingFlags } from '../setting-flags.ts';
import { underSignals } from '../signals.ts';
import { pipedText } from '../stdin.ts';
import { type Output, oneLine, printable, say, toJson } from '../terminal.ts';

/** A FIFO without a writer keeps a command waiting: after this time it says so, in ms. */
const waitNoticeMs = 2_000;

/** Opens the text that `ask` would read, passes it to a command, and closes it. Ctrl-C aborts both. */
function withContext(
  { options, stderr, stdout }: Invocation,
  given: readonly string[],
  work: (context: Context, signal: AbortSignal) => Promise<ExitCode> | ExitCode,
): Promise<ExitCode> {
  const configuration = configured({ stderr }, { flags: settingFlags(options) });
  const tell = (line: string) => say({ stderr }, line);
  const index = options['index'];
  const { paths, documents, noteUnread } = pipedText(given, index !== undefined, options);
  const fromIndex = typeof index === 'string' ? { index } : {};
  async function openAndWork({ signal, onReading }: Limited): Promise<ExitCode> {
    const fromStdin = () => documents(signal, { written: [], say: tell });
    const waiting = setTimeout(() => tell(`waiting for ${given.join(', ') || 'the input'} …`), waitNoticeMs);
    const opening = openContext({ configuration, paths, signal, onReading, documents: fromStdin, ...fromIndex });
    const context = await opening.finally(() => clearTimeout(waiting));
    for (const warning of context.warnings) tell(warning);
    try {
      const code = await work(context, signal);
      await noteUnread(tell);
      return code;
    } finally {
      await context.close();
    }
  }
  return underSignals({ stdout }, (signal) => withinTimeout(options, configuration.settings, { signal }, openAndWork));
}

/** The maximum length of the description, in bytes, which is the same as in a prompt. */
const shownBytes = 4_500;

/** Runs `rlm describe`. */
export function runDescribe(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout } = invocation;
  return withContext(invocation, (args[0] as string[] | undefined) ?? [], (context) => {
    const description = context.describe();
    if (description.documents === 0) {
      const hint = 'Give files (rlm describe src/) or pipe text in (cat build.log | rlm describe).';
      throw new RlmError('no-text', 'there is no text to describe', { hint });
    }
    stdout.write(
      options['json'] === true ? toJson(description, 2) : `${printable(renderDescription(description, shownBytes))}\n`,
    );
    return 0;
  });
}

const width = 2_000;

function matchedLine({ text, start, end }: SearchMatch, output: Output): string {
  const parts = [text.slice(0, start), text.slice(start, end), text.slice(end)].map((part) =>
    part.replace(/[\p{Cc}\u2028\u2029]/gu, ' '),
  );
  return `${parts[0]}${parts[1] === '' ? '' : output.style('bold', parts[1]!)}${parts[2]}`;
}

/** Formats lines as grep does: `:` follows the number of a matching line, `-` that of a context line. */
function renderMatches(matches: readonly SearchMatch[], output: Output): string {
  const lines = new Map<string, string>();
  const place = (source: string, line: number, mark: string) =>
    `${output.style('cyan', oneLine(source, 4_096))}${mark}${line}${mark}`;
  for (const { source, before, after } of matches)
    for (const { line, text } of [...before, ...after])
      lines.set(`${source}\n${line}`, `${place(source, line, '-')}${oneLine(text, width)}`);
  for (const match of matches)
    lines.set(`${match.source}\n${match.line}`, `${place(match.source, match.line, ':')}${matchedLine(match, output)}`);
  return inOrder(matches, lines);
}

/** Joins the lines, each once, with `--` between lines that are not adjacent. */
function inOrder(matches: readonly SearchMatch[], lines: Map<string, string>): string {
  const hasContext = matches.some(({ before, after }) => before.length + after.length > 0);
  let text = '';
  let last = { source: '', line: 0 };
  for (const match of matches) {
    const { source } = match;
    for (const { line } of [...match.before, match, ...match.after]) {
      const key = `${source}\n${line}`;
      const shown = lines.get(key);
      if (shown === undefined) continue;
      const isNext = last.source === source && last.line === line - 1;
      text += `${hasContext && text !== '' && !isNext ? '--\n' : ''}${shown}\n`;
      lines.delete(key);
      last = { source, line };
    }
  }
  return text;
}

function noticeOf({ matches, more, isComplete }: SearchResult): string | null {
  if (matches.length === 0 && more === 0) return 'no line matches';
  if (more === 0 && isComplete) return null;
  const atLeast = isComplete ? '' : 'at least ';
  return `${atLeast}${counted(more, 'more line')} matched; show more with --limit`;
}

async function searchIn(context: Context, { args, options }: Invocation, signal: AbortSignal): Promise<SearchResult> {
  return context.search(args[0] as string, {
    ignoreCase: options['ignoreCase'] === true,
    contextLines: numberOption(options, 'context', { isWhole: true }),
    limit: numberOption(options, 'limit', { isWhole: true }),
    signal,
  });
}

/** Runs `rlm search`. Returns 0 even when no line matches, or 1 in that case with --exit-code. */
export function runSearch(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  return withContext(invocation, (args[1] as string[] | undefined) ?? [], async (context, signal) => {
    if (context.describe({ maxDocuments: 0 }).documents === 0) {
      const hint = 'Give files (rlm search "pool" logs/) or pipe text in (cat build.log | rlm search "pool").';
      throw new RlmError('no-text', 'there is no text to search', { hint });
    }
    const result = await searchIn(context, invocation, signal);
    stdout.write(options['json'] === true ? toJson(result, 2) : renderMatches(result.matches, stdout));
    const notice = noticeOf(result);
    if (notice !== null) say({ stderr }, notice);
    return options['exitCode'] === true && result.matches.length + result.more === 0 ? 1 : 0;
  });
}

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

const cellOf = (value: unknown): string => (value === null ? '' : String(value));

/** Formats a result as aligned columns. Line ends within cells would break the rows. */
const renderRows = ({ columns, rows }: QueryResult): string =>
  textTable(
    [columns, ...rows.map((row) => row.map(cellOf))].map((row) =>
      row.map((cell) => printable(cell).replace(/\s+/g, ' ')),
    ),
  );

async function toCsv({ columns, rows }: QueryResult): Promise<string> {
  const { default: Papa } = await import('papaparse');
  return `${Papa.unparse([[...columns], ...rows.map((row) => [...row])], { newline: '\n' })}\n`;
}

async function writeResult(result: QueryResult, { options, stdout, stderr }: Invocation): Promise<void> {
  if (options['json'] === true) stdout.write(toJson(result, 2));
  else stdout.write(options['csv'] === true ? await toCsv(result) : renderRows(result));
  if (options['json'] === true) return;
  if (result.rows.length === 0) say({ stderr }, 'no row');
  for (const note of result.notes) say({ stderr }, note);
}

async function showTables(context: Context, { options, stdout }: Invocation, signal: AbortSignal): Promise<void> {
  const description = await context.tables({ signal });
  const text = () => `${printable(renderTables(description, schemaCharacters))}\n`;
  stdout.write(options['json'] === true ? toJson(description, 2) : text());
}

/** Runs `rlm query`. */
export function runQueryAction(invocation: Invocation): Promise<ExitCode> {
  const { sql, paths } = readArguments(invocation);
  const maxRows = numberOption(invocation.options, 'maxRows', { least: 1, isWhole: true });
  return withContext(invocation, paths, async (context, signal): Promise<ExitCode> => {
    if (context.documents.length === 0) {
      const hint = 'Give files (rlm query "select …" logs/) or pipe text in (cat a.csv | rlm query "select …").';
      throw new RlmError('no-text', 'there is no text to query', { hint });
    }
    if (sql === null) await showTables(context, invocation, signal);
    else await writeResult(await context.query(sql, { signal, maxRows }), invocation);
    return 0;
  });
}
