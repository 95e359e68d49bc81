import * as z from 'zod/mini';
import { counted, cutText } from '../../base/text.ts';
import { createUnderReader } from '../../context/under/under-reader.ts';
import type { Passage } from '../../state.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { cutAround, type PageBlock, page, plainBlock } from '../page.ts';
import { type Bounds, type FittingResult, optionalText, optionalWhole, somewhere, type ToolWorld } from '../tool.ts';
import { keptCharacters, type MatchedLine } from './search-text.ts';
import type { OpenText } from './texts.ts';

export const parameters = z.object({
  pattern: optionalText('regular expression; no lookaround'),
  words: optionalText('instead: ranks passages'),
  path: somewhere,
  lines: optionalWhole(0, 'around each match'),
  count: z.optional(z.boolean().check(z.describe('only count, by file'))),
  caseSensitive: z.optional(z.boolean()),
  limit: optionalWhole(1),
  skip: optionalWhole(0),
});

export type GrepArguments = z.infer<typeof parameters>;

interface ShownMatch extends MatchedLine {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The nearest heading above the match, or the definition around the match; empty if there is neither. */
  readonly under: string;
  readonly passages: readonly Passage[];
}

export interface FileMatches {
  readonly name: string;
  /** Number of lines of the whole document before the first searched line. */
  readonly linesBefore: number;
  readonly matches: readonly ShownMatch[];
  /** The number of matching lines, including those that are not kept. */
  readonly total: number;
  /** Numbers of the matching lines that only import a name. */
  readonly imports: readonly number[];
}

/** The matching lines by file, and what was not searched. */
export interface FoundMatches {
  readonly files: readonly FileMatches[];
  readonly searched: number;
  readonly notes: readonly string[];
}

/** Adds context lines to each match of a text. A line between two matches is added to only one of them. */
export const withAround = (text: OpenText, matches: readonly MatchedLine[], linesAround: number): ShownMatch[] =>
  matches.map((match, at) => shownMatch(text, linesAround, match, [matches[at - 1]?.line, matches[at + 1]?.line]));

function shownMatch(
  text: OpenText,
  linesAround: number,
  match: MatchedLine,
  [previous, next = Number.POSITIVE_INFINITY]: readonly (number | undefined)[],
): ShownMatch {
  const { line, startByte, endByte } = match;
  const taken = previous === undefined ? 0 : Math.min(previous + linesAround, line - 1);
  const before = linesAbove(text, startByte, Math.min(linesAround, line - 1 - taken));
  const untilNext = next - line - 1;
  const after = linesBelow(text, endByte, Math.min(linesAround, untilNext));
  const bytesOf = (lines: readonly Line[]) => lines.reduce((sum, one) => sum + one.bytes, 0);
  const isShort = endByte - startByte + bytesOf([...before, ...after]) <= aroundBytes;
  const [above, below] = isShort ? [before, after] : [[], []];
  const [from, to] = [startByte - bytesOf(above), endByte + bytesOf(below)];
  const read = () => text.read(from, Math.min(to, from + aroundBytes)).toString('utf8');
  const passages = text.passagesAt({
    startLine: line - above.length + text.linesBefore,
    endLine: line + below.length + text.linesBefore,
    ...{ startByte: from, endByte: to, text: text.hasChunks ? '' : read().trimEnd() },
  });
  const shown = (lines: readonly Line[]) => lines.map((one) => cutText(one.text, aroundCharacters));
  return { ...match, before: shown(before), after: shown(after), under: headingOver(text, match), passages };
}

function headingOver(text: OpenText, { startByte, text: line }: MatchedLine): string {
  const read = createUnderReader(text.name);
  if (read === null) return '';
  const from = Math.max(0, startByte - headingBytes);
  const before = text.read(from, startByte).toString('utf8');
  // Reads the document's first line, because it may be the header of a table. Then reads `before`, without its first
  // line if that line is incomplete.
  if (from > 0) read(text.read(0, headBytes).toString('utf8').split('\n', 1)[0]!);
  read(from > 0 ? before.slice(before.indexOf('\n') + 1) : before);
  const over = read(line).at(-1) ?? '';
  // A match that is itself a heading gets no heading.
  return read('\u2026').at(-1) === line.trim() ? '' : over;
}

/** A line with its size in bytes, line feed included. */
interface Line {
  readonly text: string;
  readonly bytes: number;
}

const aroundBytes = 8 * 1024;
const aroundCharacters = 500;
const headingBytes = 16 * 1024;
const headBytes = 400;

const lineFeed = 0x0a;

const lineIn = (bytes: Buffer, from: number, to: number): Line => ({
  text: bytes.toString('utf8', from, to).replace(/\r?\n$/, ''),
  bytes: to - from,
});

function linesAbove(text: OpenText, startByte: number, count: number): Line[] {
  const from = Math.max(0, startByte - aroundBytes);
  const bytes = count === 0 ? Buffer.alloc(0) : text.read(from, startByte);
  const lines: Line[] = [];
  for (let end = bytes.length; end > 0 && lines.length < count; ) {
    const feed = end < 2 ? -1 : bytes.lastIndexOf(lineFeed, end - 2);
    if (feed === -1 && from > 0) break;
    lines.unshift(lineIn(bytes, feed + 1, end));
    end = feed + 1;
  }
  return lines;
}

function linesBelow(text: OpenText, endByte: number, count: number): Line[] {
  const to = Math.min(text.bytes, endByte + aroundBytes);
  const bytes = count === 0 ? Buffer.alloc(0) : text.read(endByte, to);
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length && lines.length < count; ) {
    const feed = bytes.indexOf(lineFeed, start);
    if (feed === -1 && to < text.bytes) break;
    const end = feed === -1 ? bytes.length : feed + 1;
    lines.push(lineIn(bytes, start, end));
    start = end;
  }
  return lines;
}

const leastCharacters = 200;

function blockOf(file: FileMatches, at: number, width: number, isFirst: boolean): PageBlock {
  const { line, before, after, under, passages, ...match } = file.matches[at]!;
  const previous = file.matches[at - 1];
  const number = line + file.linesBefore;
  const ids = passages.map(({ id }) => `[${id}]`).join('');
  const isNew = previous === undefined || ids !== previous.passages.map(({ id }) => `[${id}]`).join('');
  const hasGap = previous !== undefined && line - before.length > previous.line + previous.after.length + 1;
  const isUnderOther = under !== '' && under !== previous?.under;
  const lines = [
    ...(at === 0 ? [`${isFirst ? '' : '\n'}${shownName(file.name)}`] : []),
    ...(hasGap && (before.length > 0 || previous.after.length > 0) ? ['--'] : []),
    ...(isUnderOther ? [`under ${JSON.stringify(under)}:`] : []),
    ...before.map((text, index) => `${number - before.length + index}- ${text}`),
    `${isNew ? `${ids} ` : ''}${number}: ${cutAround(match.text, match, width)}`,
    ...after.map((text, index) => `${number + 1 + index}- ${text}`),
  ];
  return { text: lines.join('\n'), passages };
}

/** Shows the matches, with long lines cut to the available room. */
export function showMatches(found: FoundMatches, given: GrepArguments, world: ToolWorld): FittingResult {
  const total = found.files.reduce((sum, file) => sum + file.total, 0);
  if (total === 0) return showNone(found, given, world);
  return given.count === true ? showCounts(found, total, given, world) : showLines(found, total, given);
}

/** Reports that no line matches. The report is citable, because an answer may rest on it. */
function showNone(found: FoundMatches, given: GrepArguments, world: ToolWorld): FittingResult {
  const output = `No line matches. ${searchedLine(found)}`;
  const passage = world.compute({ by: 'grep', code: JSON.stringify(given), output });
  return page({ blocks: [plainBlock(`[${passage.id}] ${output}`)], end: () => found.notes, cited: () => [passage] });
}

const searchedLine = ({ searched }: FoundMatches): string => `Searched: ${counted(searched, 'file')}`;

const headOf = ({ files }: FoundMatches, total: number): string =>
  `${counted(total, 'matching line')} in ${counted(files.length, 'file')}`;

function showLines(found: FoundMatches, total: number, { skip = 0 }: GrepArguments): FittingResult {
  const { files, notes } = found;
  const kept = files.reduce((sum, { matches }) => sum + matches.length, 0);
  const imported = files.reduce((sum, { imports }) => sum + imports.length, 0);
  return (bounds: Bounds) => {
    const share = Math.floor(bounds.characters / Math.max(1, kept)) - 20;
    const width = Math.max(leastCharacters, Math.min(keptCharacters, share));
    const isFirst = (file: FileMatches) => file === files.find(({ matches }) => matches.length > 0);
    const blocks = files.flatMap((file) => file.matches.map((_, at) => blockOf(file, at, width, isFirst(file))));
    const end = (shown: number) => {
      const left = total - imported - skip - shown;
      return [
        ...(skip > 0 ? [`Passed over: ${counted(Math.min(skip, total), 'line')}`] : []),
        ...importsOf(files),
        ...(left > 0 ? [leftOut(files, left, skip + shown)] : []),
        headOf(found, total),
        ...notes,
      ];
    };
    return page({ blocks, end })(bounds);
  };
}

const mostNamed = 5;
const mostImports = 40;

function importsOf(files: readonly FileMatches[]): string[] {
  const all = files.flatMap(({ name, imports }) => imports.map((line) => `${shownName(name)}:${line}`));
  if (all.length === 0) return [];
  const more = all.length > mostImports ? ` and ${counted(all.length - mostImports, 'more line')}` : '';
  return [`Imported at ${all.slice(0, mostImports).join(', ')}${more}`];
}

function leftOut(files: readonly FileMatches[], left: number, skip: number): string {
  let before = 0;
  const rest = files.map(({ name, total, imports }) => {
    const own = total - imports.length;
    const shown = Math.max(0, Math.min(own, skip - before));
    before += own;
    return { name, left: own - shown };
  });
  const most = rest.filter((file) => file.left > 0).sort((a, b) => b.left - a.left);
  const named = most.slice(0, mostNamed).map((file) => `${shownName(file.name)} ${file.left}`);
  const others = most.length > named.length ? ` and ${counted(most.length - named.length, 'more file')}` : '';
  return `Left out: ${counted(left, 'more line')} (${named.join(', ')}${others}); to see them: "skip": ${skip}`;
}

function showCounts(found: FoundMatches, total: number, given: GrepArguments, world: ToolWorld): FittingResult {
  const most = [...found.files].sort((a, b) => b.total - a.total);
  const lines = most.map((file) => `${file.total} ${shownName(file.name)}`);
  const head = headOf(found, total);
  const output = [head, ...lines.slice(0, 100)].join('\n');
  const passage = world.compute({ by: 'grep', code: JSON.stringify(given), output });
  const blocks = [`[${passage.id}] ${head}:`, ...lines].map(plainBlock);
  const end = (shown: number) => {
    const left = blocks.length - shown;
    const rest = left > 0 ? [`Left out: ${counted(left, 'file')} with fewer lines; name a narrower "path"`] : [];
    return [...rest, searchedLine(found), ...found.notes];
  };
  return page({ blocks, end, cited: () => [passage] });
}
