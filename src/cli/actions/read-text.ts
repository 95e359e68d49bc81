import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Context, openContext } from '../../api/open-context.ts';
import type { Timed } from '../../assemble/within-time.ts';
import { counted, textTable } from '../../base/text.ts';
import { renderDescription } from '../../context/description.ts';
import type { SearchMatch, SearchResult } from '../../context/search/search.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { QueryResult } from '../../query/query-result.ts';
import { renderTables } from '../../query/render-tables.ts';
import { type Invocation, numberOption, textOptions } from '../command.ts';
import { configured, withinTimeout } from '../configured.ts';
import { underSignals } from '../signals.ts';
import { pipedText } from '../stdin.ts';
import { type Output, oneLine, printable, say, toJson, withoutCommands } from '../terminal.ts';

/** Time in ms after which a command reports that it still waits for its input, such as a FIFO without a writer. */
const waitNoticeMs = 2_000;

interface ContextCommand {
  readonly given: readonly string[];
  readonly verb: string;
  /** Example commands with files and with piped text, shown in the error for missing text. */
  readonly examples: readonly [files: string, piped: string];
  run(context: Context, signal: AbortSignal): Promise<ExitCode> | ExitCode;
}

function withContext(invocation: Invocation, { given, verb, examples, run }: ContextCommand): Promise<ExitCode> {
  const { options, stdout } = invocation;
  const configuration = configured(invocation);
  const tell = (line: string) => say(invocation, line);
  const source = textOptions(options, 'index');
  const { paths, documents, noteUnread } = pipedText(given, source.index !== undefined, options);
  async function openAndRun({ signal, onReading }: Timed): Promise<ExitCode> {
    const fromStdin = () => documents(signal, { written: [], say: tell });
    const waiting = setTimeout(() => tell(`waiting for ${given.join(', ') || 'the input'} …`), waitNoticeMs);
    const opening = openContext({ configuration, paths, signal, onReading, documents: fromStdin, ...source });
    const context = await opening.finally(() => clearTimeout(waiting));
    for (const warning of context.warnings) tell(warning);
    try {
      if (context.documents.length === 0) {
        const [files, piped] = examples;
        const hint = `Give files (rlm ${files}) or pipe text in (${piped}).`;
        throw new RlmError('no-text', `there is no text to ${verb}`, { hint });
      }
      const code = await run(context, signal);
      await noteUnread(tell);
      return code;
    } finally {
      await context.close();
    }
  }
  return underSignals({ stdout }, (signal) => withinTimeout(options, configuration.settings, { signal }, openAndRun));
}

export function runDescribe(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout } = invocation;
  return withContext(invocation, {
    given: args[0] as readonly string[],
    verb: 'describe',
    examples: ['describe src/', 'cat build.log | rlm describe'],
    run(context) {
      const description = context.describe();
      // People read this description, so it may be longer than the description in a prompt.
      const text = () => `${printable(renderDescription(description, 4_500))}\n`;
      stdout.write(options['json'] === true ? toJson(description, 2) : text());
      return 0;
    },
  });
}

function matchedLine({ text, start, end }: SearchMatch, { style }: Output): string {
  const shown = (part: string) => part.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
  const [before, matched, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)].map(shown);
  return `${before}${matched === '' ? '' : style('bold', matched!)}${after}`;
}

/**
 * Formats each line once, as grep does. The separator before a matching line is `:`, the separator before a context
 * line is `-`, and `--` stands between lines that are not adjacent.
 */
function renderMatches(matches: readonly SearchMatch[], output: Output): string {
  const keyOf = (source: string, line: number) => `${source}\n${line}`;
  const byKey = new Map(matches.map((match) => [keyOf(match.source, match.line), match]));
  const hasContext = matches.some(({ before, after }) => before.length + after.length > 0);
  const shown = new Set<string>();
  let [rendered, last] = ['', ''];
  for (const match of matches) {
    const { source, before, after } = match;
    for (const { line, text } of [...before, match, ...after]) {
      const key = keyOf(source, line);
      if (shown.has(key)) continue;
      const found = byKey.get(key);
      const [mark, words] = found ? [':', matchedLine(found, output)] : ['-', oneLine(text, 2_000)];
      const isNext = last === keyOf(source, line - 1);
      const gap = hasContext && rendered !== '' && !isNext ? '--\n' : '';
      rendered += `${gap}${output.style('cyan', oneLine(source, 4_096))}${mark}${line}${mark}${words}\n`;
      shown.add(key);
      last = key;
    }
  }
  return withoutCommands(rendered);
}

function noticeOf({ matches, more, isComplete }: SearchResult): string | null {
  if (matches.length === 0 && more === 0) return 'no line matches';
  if (more === 0 && isComplete) return null;
  return `${isComplete ? '' : 'at least '}${counted(more, 'more line')} matched; show more with --limit`;
}

/** Runs `rlm search`. With --exit-code, returns 1 when no line matches. */
export function runSearch(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout, stderr } = invocation;
  const contextLines = numberOption(options, 'context', { most: 20, isWhole: true });
  const limit = numberOption(options, 'limit', { isWhole: true });
  return withContext(invocation, {
    given: args[1] as readonly string[],
    verb: 'search',
    examples: ['search "pool" logs/', 'cat build.log | rlm search "pool"'],
    async run(context, signal) {
      const ignoreCase = options['ignoreCase'] === true;
      const result = await context.search(args[0] as string, { ignoreCase, contextLines, limit, signal });
      stdout.write(options['json'] === true ? toJson(result, 2) : renderMatches(result.matches, stdout));
      const notice = noticeOf(result);
      if (notice !== null) say({ stderr }, notice);
      return options['exitCode'] === true && result.matches.length + result.more === 0 ? 1 : 0;
    },
  });
}

const sqlStart = /^(?:\s|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values|explain)\b/i;
const schemaCharacters = 100_000;

/** Whether an argument is `-`, a path that exists, or a single word that does not begin like SQL. */
const isPath = (argument: string): boolean =>
  argument === '-' || existsSync(resolve(argument)) || (!sqlStart.test(argument) && !/\s/.test(argument));

/** Formats rows as a table. Line ends within cells become spaces, because they would break the rows. */
function renderRows({ columns, rows }: QueryResult): string {
  const shown = (cell: unknown) => printable(String(cell ?? '')).replace(/\s+/g, ' ');
  return textTable([columns, ...rows].map((row) => row.map(shown)));
}

async function writeResult(result: QueryResult, { options, stdout, stderr }: Invocation): Promise<void> {
  if (options['json'] === true) return stdout.write(toJson(result, 2));
  if (options['csv'] === true) {
    const { default: Papa } = await import('papaparse');
    const { columns, rows } = result;
    const csv = `${Papa.unparse([[...columns], ...rows.map((row) => [...row])], { newline: '\n' })}\n`;
    stdout.write(stdout.isTerminal ? printable(csv) : csv);
  } else stdout.write(renderRows(result));
  if (result.rows.length === 0) say({ stderr }, 'no row');
  for (const note of result.notes) say({ stderr }, note);
}

/** Runs `rlm query`: prints the result of the SQL, or describes the tables if no SQL is given. */
export function runQueryAction(invocation: Invocation): Promise<ExitCode> {
  const { args, options, stdout } = invocation;
  const [first, rest = []] = args as [string | undefined, readonly string[] | undefined];
  const sql = first === undefined || isPath(first) ? null : first;
  const maxRows = numberOption(options, 'maxRows', { least: 1, isWhole: true });
  return withContext(invocation, {
    given: sql === null && first !== undefined ? [first, ...rest] : rest,
    verb: 'query',
    examples: ['query "select …" logs/', 'cat a.csv | rlm query "select …"'],
    async run(context, signal): Promise<ExitCode> {
      if (sql !== null) await writeResult(await context.query(sql, { signal, maxRows }), invocation);
      else {
        const description = await context.tables({ signal });
        const text = () => `${printable(renderTables(description, schemaCharacters))}\n`;
        stdout.write(options['json'] === true ? toJson(description, 2) : text());
      }
      return 0;
    },
  });
}
