import { counted } from '../../base/counted.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { Context, SearchMatch, SearchResult } from '../../index.ts';
import type { Invocation } from '../command.ts';
import { type Output, oneLine, toJson } from '../terminal.ts';
import { withContext } from './with-context.ts';

/** Parses an option that is an integer. Undefined when it is not given. Throws RlmError `usage`. */
function countOption(options: Invocation['options'], name: string): number | undefined {
  const value = options[name] as string | undefined;
  if (value === undefined || /^\d{1,9}$/.test(value)) return value === undefined ? undefined : Number(value);
  throw new RlmError('usage', `--${name} cannot be "${value}"`, { hint: 'Give an integer, 0 or more.' });
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
    contextLines: countOption(options, 'context'),
    limit: countOption(options, 'limit'),
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
    if (notice !== null) stderr.write(`rlm: ${notice}\n`);
    return options['exitCode'] === true && result.matches.length + result.more === 0 ? 1 : 0;
  });
}
