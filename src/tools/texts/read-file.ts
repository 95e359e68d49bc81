import * as z from 'zod/mini';
import { beginning, counted, cutText } from '../../base/text.ts';
import type { Pacer } from '../../base/time.ts';
import type { Passage } from '../../state.ts';
import { shownName } from '../files/walls/shown-name.ts';
import { type PageBlock, page } from '../page.ts';
import { type Bounds, type FittingResult, optionalText, optionalWhole, type Tool, type ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { pacerOf, skipLines } from './search-text.ts';
import { findSection } from './section.ts';
import { type OpenText, withText } from './texts.ts';

const parameters = z.object({
  path: optionalText(),
  startLine: optionalWhole(1),
  endLine: optionalWhole(1),
  section: optionalText('a heading, or a name that code defines'),
  startCharacter: optionalWhole(1, 'in a very long line'),
});

type ReadArguments = z.infer<typeof parameters>;

export const readFile: Tool<ReadArguments> = {
  name: 'read_file',
  about: 'Shows a file, some lines or a section of it, with ids to cite.',
  parameters,
  example: { path: 'src/pool.ts', startLine: 40, endLine: 120 },
  needs: 'texts',
  run: read,
};

const mostSkipped = 1_000_000;
const lineFeed = 0x0a;
/** In larger files, the total number of lines is not counted. */
const countedBytes = 64 * 1024 * 1024;

async function read(given: ReadArguments, world: ToolWorld): Promise<FittingResult> {
  const rest = pacerOf(world);
  return withText(world, given.path, async (text) => {
    if (text.bytes === 0) return page({ blocks: [], end: () => [`${shownName(text.name)} is empty`] });
    const range = given.section?.trim() ? await findSection(text, given.section) : rangeOf(given);
    const skipped = (given.startCharacter ?? 1) - 1;
    if (skipped > mostSkipped) throw new ToolError(`"startCharacter" is at most ${mostSkipped}`);
    return show(await linesOf(text, { ...range, skipped }, world.bounds, rest));
  });
}

interface Range {
  readonly startLine: number;
  readonly endLine: number;
  /** How many characters of the first line are skipped. */
  readonly skipped: number;
}

function rangeOf({ startLine = 1, endLine = Number.MAX_SAFE_INTEGER }: ReadArguments) {
  if (endLine < startLine) throw new ToolError(`endLine ${endLine} is before startLine ${startLine}`);
  return { startLine, endLine };
}

interface ReadLine {
  readonly number: number;
  /** The text from the first requested character on; only its beginning if the line is very long. */
  readonly text: string;
  /** Whether the line continues after `text`. */
  readonly goesOn: boolean;
  readonly startByte: number;
  readonly endByte: number;
}

interface ReadLines extends Range {
  readonly text: OpenText;
  readonly lines: readonly ReadLine[];
  /** Number of the document's last line; null if the document is too large for counting its lines. */
  readonly last: number | null;
}

async function linesOf(text: OpenText, range: Range, bounds: Bounds, rest: Pacer): Promise<ReadLines> {
  const { linesBefore: offset } = text;
  const startLine = Math.max(range.startLine, offset + 1);
  const isAbove = range.endLine <= offset;
  const skipped = isAbove ? Number.POSITIVE_INFINITY : startLine - offset - 1;
  const { byte, linesBefore } = await skipLines(text, 0, skipped, rest);
  if (byte >= text.bytes || isAbove) {
    const has = offset > 0 ? `lines ${offset + 1} to ${offset + linesBefore} here` : counted(linesBefore, 'line');
    throw new ToolError(`${shownName(text.name)} has no line ${range.startLine}: it has ${has}`);
  }
  const lines = takeLines(text, byte, { ...range, startLine }, bounds);
  const { number, endByte, goesOn } = lines.at(-1)!;
  if (text.bytes > countedBytes) return { ...range, startLine, text, lines, last: null };
  const end = Math.min(text.bytes, goesOn ? endByte : endByte + 1);
  const behind = (await skipLines(text, end, Number.POSITIVE_INFINITY, rest)).linesBefore;
  return { ...range, startLine, text, lines, last: number + behind - (goesOn ? 1 : 0) };
}

function takeLines(text: OpenText, from: number, { startLine, endLine, skipped }: Range, bounds: Bounds): ReadLine[] {
  // A character has at most 3 bytes for each UTF-16 unit.
  const window = Buffer.from(text.read(from, Math.min(text.bytes, from + (bounds.characters + skipped) * 3)));
  const isEnd = from + window.length >= text.bytes;
  const lines: ReadLine[] = [];
  for (let [number, at] = [startLine, 0]; number <= endLine && at < window.length; number++) {
    const feed = window.indexOf(lineFeed, at);
    const goesOn = feed === -1 && !isEnd;
    if ((goesOn && number > startLine) || lines.length > bounds.lines) break;
    const end = feed === -1 ? window.length : feed;
    const content = window.toString('utf8', at, end).replace(/\r$/, '');
    const left = number === startLine ? skipped : 0;
    const before = beginning(content, left);
    const startByte = from + at + Buffer.byteLength(before);
    lines.push({ number, text: content.slice(before.length), goesOn, startByte, endByte: from + end });
    at = end + 1;
  }
  return lines;
}

function passagesOf({ text }: ReadLines, lines: readonly ReadLine[]): readonly Passage[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  return text.passagesAt({
    startLine: first.number,
    endLine: last.number,
    startByte: first.startByte,
    endByte: last.endByte,
    text: lines.map((line) => line.text).join('\n'),
  });
}

/** Returns a block for each line. The id of a passage precedes the first line of the passage. */
function blocksOf(read: ReadLines, most: number): PageBlock[] {
  const passages = read.text.hasChunks ? passagesOf(read, read.lines) : [];
  let begun = 0;
  return read.lines.map(({ number, text }) => {
    const first = begun;
    while (begun < passages.length && passages[begun]!.startLine <= number) begun++;
    const ids = passages.slice(first, begun).map(({ id }) => `[${id}]`);
    const lines = [...(ids.length > 0 ? [ids.join('')] : []), `${number}| ${cutText(text, most)}`];
    return { text: lines.join('\n'), passages: passages.slice(first, begun) };
  });
}

const lineShare = 0.7;

function show(read: ReadLines): FittingResult {
  return (bounds) => {
    const most = Math.floor(bounds.characters * lineShare);
    const shownLines = (count: number) =>
      read.lines.slice(0, count).map((line) => ({ ...line, text: cutText(line.text, most) }));
    const fileAt = (count: number) => (read.text.hasChunks ? [] : passagesOf(read, shownLines(count)));
    const end = (count: number) => {
      const [file] = fileAt(count);
      const { number } = read.lines[Math.max(0, count - 1)]!;
      const of = read.last === null ? '' : ` of ${read.last}`;
      const cite = file === undefined ? '' : `; cite as [${file.id}]`;
      const place = `${shownName(read.text.name)}, lines ${read.startLine}-${number}${of}${cite}`;
      return [...notesOn(read, count, most), place];
    };
    return page({ blocks: blocksOf(read, most), end, cited: fileAt })(bounds);
  };
}

function notesOn({ lines, startLine, endLine, skipped, last }: ReadLines, count: number, most: number): string[] {
  const shown = lines.slice(0, count);
  const long = shown.find(({ text, goesOn }) => goesOn || text.length > most);
  const before = long?.number === startLine ? skipped : 0;
  const next = long && before + beginning(long.text, most - 1).length + 1;
  const end = shown.at(-1)?.number ?? startLine;
  const isLeft = end < Math.min(last ?? Number.POSITIVE_INFINITY, endLine);
  const goOn = `Line ${long?.number} goes on; to see more of it: "startLine": ${long?.number}, "startCharacter": ${next}`;
  const below = `Left out: what follows line ${end}; to see it: "startLine": ${end + 1}`;
  return [...(long ? [goOn] : []), ...(isLeft ? [below] : [])];
}
