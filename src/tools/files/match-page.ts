import { counted } from '../../base/counted.ts';
import { cutText, type Page } from '../page.ts';
import { citable } from './citable-lines.ts';
import type { FileLines } from './file-passage.ts';
import type { MatchedLine, MatchSink } from './search-text.ts';
import type { FileText } from './walls/file-text.ts';
import { shownName } from './walls/shown-name.ts';

/** The matching lines of many files. */
export interface MatchPage {
  wants(): boolean;
  /** Begins a file: collects its matches, and shows them at its end. */
  beginFile(text: FileText): MatchSink & { end(): void };
  /** Returns the whole page, and how many more matches there are. */
  end(notes: readonly string[]): string;
}

/** How much is shown, and the receiver of shown lines. */
export interface MatchOptions {
  /** Matching lines. */
  readonly limit: number;
  /** Before and after each of them. */
  readonly contextLines: number;
  cite(lines: FileLines): unknown;
}

/** Shows matches below the names of their files, each line once: `12: a match`, `13- a line near it`. */
export function createMatchPage(page: Page, { limit, contextLines, cite }: MatchOptions): MatchPage {
  const shown = { matches: 0, files: 0 };
  const more = { matches: 0, files: 0 };
  let taken = 0;
  const wants = () => taken < limit && !page.isFull;

  /** @returns how many of them fit. */
  function showMatches(text: FileText, matches: readonly MatchedLine[]): number {
    const heading = `${shown.files > 0 ? '\n' : ''}${shownName(text.name)}`;
    const blocks = matches.map((match, at) => {
      const lines = withContext(text, contextLines, match, matches[at - 1], matches[at + 1]);
      return (at === 0 ? [heading, ...lines] : lines).join('\n');
    });
    const failed = blocks.findIndex((block) => !page.add(block));
    const fitting = failed === -1 ? blocks.length : failed;
    for (const lines of citable(text, matches.slice(0, fitting), contextLines)) cite(lines);
    return fitting;
  }

  function beginFile(text: FileText) {
    const matches: MatchedLine[] = [];
    let counted = 0;
    return {
      isCounted() {
        if (wants()) return false;
        counted++;
        return true;
      },
      add(match: MatchedLine) {
        taken++;
        matches.push(match);
      },
      end() {
        const fitting = showMatches(text, matches);
        const left = counted + matches.length - fitting;
        shown.matches += fitting;
        more.matches += left;
        if (fitting > 0) shown.files++;
        else if (left > 0) more.files++;
      },
    };
  }

  function end(notes: readonly string[]): string {
    const found = `${counted(shown.matches, 'matching line')} in ${counted(shown.files, 'file')}`;
    const others = more.files > 0 ? `, also in ${counted(more.files, 'other file')}` : '';
    const left = `Left out: ${counted(more.matches, 'more matching line')}${others}; narrow path, glob or pattern`;
    if (shown.matches + more.matches === 0) return page.end(['No line matches', ...notes]);
    return page.end([...(more.matches > 0 ? [left] : []), found, ...notes]);
  }

  return { wants, beginFile, end };
}

/** Shows a matching line and the lines around it, except those that belong to the matches before and after. */
function withContext(
  text: FileText,
  contextLines: number,
  { line, startByte, endByte, shown }: MatchedLine,
  previous: MatchedLine | undefined,
  next: MatchedLine | undefined,
): string[] {
  if (contextLines === 0) return [`${line}: ${shown}`];
  const shownTo = previous === undefined ? 0 : Math.min(previous.line + contextLines, line - 1);
  const before = linesBefore(text, startByte, Math.min(contextLines, line - 1 - shownTo));
  const behind = next === undefined ? contextLines : Math.min(contextLines, next.line - line - 1);
  const after = linesAfter(text, endByte, behind);
  const first = line - before.length;
  return [
    ...(previous !== undefined && first > shownTo + 1 ? ['--'] : []),
    ...before.map((content, at) => `${first + at}- ${content}`),
    `${line}: ${shown}`,
    ...after.map((content, at) => `${line + 1 + at}- ${content}`),
  ];
}

const contextBytes = 8 * 1024;
const contextCharacters = 300;

const toLine = (line: string): string => cutText(line.replace(/\r$/, ''), contextCharacters);

function linesBefore(text: FileText, startByte: number, count: number): string[] {
  if (count === 0) return [];
  const from = Math.max(0, startByte - contextBytes);
  const lines = text.read(from, startByte).toString('utf8').split('\n').slice(0, -1);
  // The bytes may begin within a line: it is shown from there.
  return lines.slice(-count).map(toLine);
}

function linesAfter(text: FileText, endByte: number, count: number): string[] {
  if (count === 0 || endByte >= text.bytes) return [];
  const bytes = text.read(endByte, Math.min(text.bytes, endByte + contextBytes));
  const lines = bytes.toString('utf8').split('\n');
  if (endByte + bytes.length >= text.bytes && lines.at(-1) === '') lines.pop();
  return lines.slice(0, count).map(toLine);
}
