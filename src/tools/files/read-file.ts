import * as z from 'zod/mini';
import { counted } from '../../base/counted.ts';
import { createPacer, type Pacer } from '../../base/pacer.ts';
import { createPage, cutText, type Page } from '../page.ts';
import type { Bounds, Tool, ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { shownCall } from '../wording.ts';
import type { FileLines } from './file-passage.ts';
import { skipLines } from './lines-of.ts';
import type { FileText } from './walls/file-text.ts';
import { withText } from './walls/open-text.ts';
import { shownName } from './walls/shown-name.ts';

const mostSkipped = 1_000_000;

const parameters = z.object({
  path: z.string().check(z.describe('The file, as list_files, grep or the user names it.')),
  startLine: z.optional(z.int().check(z.minimum(1), z.describe('The first line to show, from 1; default 1.'))),
  endLine: z.optional(
    z.int().check(z.minimum(1), z.describe('The last line to show; default: as many as there is room for.')),
  ),
  startCharacter: z.optional(
    z
      .int()
      .check(
        z.minimum(1),
        z.maximum(mostSkipped),
        z.describe('Where to begin in the first line, from 1; for a line that is too long to be shown whole.'),
      ),
  ),
});

type Given = z.infer<typeof parameters>;

/** Shows lines of one file. */
export const readFile: Tool<Given> = {
  name: 'read_file',
  about:
    'Shows lines of a file with their numbers and the passage to cite them as, and says what was left out, with the call that shows it.',
  parameters,
  example: { path: 'src/index.ts', startLine: 1, endLine: 80 },
  needs: 'files',
  run: (given, world) => withText(world, given.path, (text) => show(text, given, world)),
};

const sliceMs = 20;
const longestLine = 2_000;
const lineFeed = 0x0a;
/** In larger files, lines are not counted only to report their number. */
const countedBytes = 64 * 1024 * 1024;

async function show(text: FileText, given: Given, { bounds, signal, cite }: ToolWorld): Promise<string> {
  const range = rangeOf(given);
  const pace = createPacer(sliceMs);
  const rest: Pacer = () => {
    signal.throwIfAborted();
    return pace();
  };
  const name = shownName(text.name);
  if (text.bytes === 0) return `${name} is empty`;
  const { byte, linesBefore } = await skipLines(text, 0, range.startLine - 1, rest);
  if (byte >= text.bytes)
    throw new ToolError(`${name} has no line ${range.startLine}: it has ${counted(linesBefore, 'line')}`);
  const taken = await takeLines(text, byte, range, bounds, rest);
  const isCounted = text.bytes <= countedBytes;
  const behind = isCounted ? (await skipLines(text, taken.endByte, Number.POSITIVE_INFINITY, rest)).linesBefore : null;
  const total = behind === null ? null : taken.last + behind;
  const of = total === null ? '' : ` of ${total}`;
  const id = cite({ source: text.name, startLine: range.startLine, endLine: taken.last, ...taken.shown });
  const shown = `${name}, lines ${range.startLine}-${taken.last}${of} (${counted(text.bytes, 'byte')}); cite as [${id}]`;
  return taken.page.end([...notesOn(text, taken, range), shown]);
}

interface Range {
  readonly startLine: number;
  readonly endLine: number;
  /** Characters of the first line that are not shown. */
  readonly skipped: number;
}

function rangeOf(given: Given): Range {
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY, startCharacter: from = 1 } = given;
  if (endLine < startLine) throw new ToolError(`endLine ${endLine} is before startLine ${startLine}`);
  return { startLine, endLine, skipped: from - 1 };
}

/** The part of a range that is shown. */
interface Taken {
  readonly page: Page;
  /** The last line that is shown. */
  readonly last: number;
  /** The byte behind that line. */
  readonly endByte: number;
  /** From the first to the last character that is shown, including the ends of long lines that are not. */
  readonly shown: Pick<FileLines, 'startByte' | 'endByte' | 'text'>;
  /** Lines whose end is left out, each with the number of characters that are shown. */
  readonly cut: readonly { readonly line: number; readonly characters: number }[];
}

/** Reads lines from a byte on, as many as there is room for, and at least the beginning of one. */
async function takeLines(
  text: FileText,
  startByte: number,
  { startLine, endLine, skipped }: Range,
  bounds: Bounds,
  rest: Pacer,
): Promise<Taken> {
  const page = createPage(bounds);
  const lineCharacters = Math.min(longestLine, Math.floor(bounds.characters / 3));
  // A character has at most 3 bytes for each UTF-16 unit.
  const window = text.read(startByte, Math.min(text.bytes, startByte + (bounds.characters + skipped) * 3));
  const cut: { line: number; characters: number }[] = [];
  let line = startLine;
  let [at, from, to] = [0, 0, 0];
  for (; line <= endLine && at < window.length; line++) {
    const feed = window.indexOf(lineFeed, at);
    const goesOn = feed === -1 && startByte + window.length < text.bytes;
    if (goesOn && line > startLine) break;
    const end = feed === -1 ? window.length : feed;
    const content = window.toString('utf8', at, end).replace(/\r$/, '');
    const wanted = line === startLine ? content.slice(skipped) : content;
    const shown = cutText(wanted, lineCharacters);
    if (!page.add(`${line}| ${shown}`)) break;
    const begin = at + Buffer.byteLength(content.slice(0, content.length - wanted.length));
    if (line === startLine) from = begin;
    to = begin + Buffer.byteLength(shown === wanted ? wanted : shown.slice(0, -1));
    if (goesOn || shown !== wanted) cut.push({ line, characters: Math.min(wanted.length, shown.length - 1) });
    at = goesOn ? (await skipLines(text, startByte + end, 1, rest)).byte - startByte : end + 1;
  }
  const shown = { startByte: startByte + from, endByte: startByte + to, text: window.toString('utf8', from, to) };
  return { page, last: line - 1, endByte: Math.min(text.bytes, startByte + at), shown, cut };
}

function notesOn(text: FileText, { last, endByte, cut }: Taken, { startLine, endLine, skipped }: Range): string[] {
  const notes: string[] = [];
  const [first] = cut;
  if (first !== undefined) {
    const before = first.line === startLine ? skipped : 0;
    const next = before + first.characters + 1;
    const call = { path: text.name, startLine: first.line, endLine: first.line, startCharacter: next };
    notes.push(`Cut: ${counted(cut.length, 'long line')}. More of line ${first.line}: ${shownCall('read_file', call)}`);
  }
  if (endByte < text.bytes && last < endLine) {
    const more = {
      path: text.name,
      startLine: last + 1,
      ...(endLine < Number.POSITIVE_INFINITY && { endLine: endLine }),
    };
    notes.push(`Left out: what follows line ${last}. To see it: ${shownCall('read_file', more)}`);
  }
  return notes;
}
