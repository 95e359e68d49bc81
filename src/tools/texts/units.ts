/** Splits texts into the items that a question is asked about: lines, paragraphs, files, or parts by a pattern. */
import type { Passage } from '../../state.ts';
import { shownName } from '../files/walls/shown-name.ts';
import type { NamedPart } from '../places.ts';
import type { ToolWorld } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { matcherOf, pacerOf } from './search-text.ts';
import { findTexts, isNoText, type OpenText } from './texts.ts';

/** An item with its place, in lines of the whole document. */
export interface Unit {
  readonly source: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The passages that contain the first line of the item. */
  readonly passages: readonly Passage[];
}

interface UnitArguments extends Pick<NamedPart, 'path'> {
  /** `line`, `paragraph`, `file`, or a pattern that the first line of each item matches. */
  readonly each: string;
}

const mostItems = 20_000;
const mostBytes = 16_000_000;

interface Line {
  readonly text: string;
  /** The number of the line in the whole document, counted from 1. */
  readonly number: number;
  readonly startByte: number;
  readonly endByte: number;
}

function linesOf({ bytes, linesBefore, read }: OpenText): Line[] {
  const whole = read(0, bytes);
  const lines: Line[] = [];
  for (let startByte = 0; startByte <= whole.length; startByte = lines.at(-1)!.endByte + 1) {
    const feed = whole.indexOf('\n', startByte);
    const endByte = feed === -1 ? whole.length : feed;
    const text = whole.toString('utf8', startByte, endByte).replace(/\r$/, '');
    lines.push({ text, number: lines.length + 1 + linesBefore, startByte, endByte });
  }
  return lines;
}

const isBlank = ({ text }: Line): boolean => text.trim() === '';

/** Whether a line begins an item. Not called for the first line of a text, which always begins an item. */
type Begins = (line: Line, before: Line) => boolean;

async function beginsOf(each: string): Promise<Begins> {
  if (each === 'line') return () => true;
  if (each === 'paragraph') return (_, before) => isBlank(before);
  if (each === 'file') return () => false;
  const matcher = await matcherOf(each, true);
  return ({ text }) => matcher.matches(text);
}

function groupsOf(lines: readonly Line[], begins: Begins): Line[][] {
  const groups: Line[][] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || begins(line, lines[at - 1]!)) groups.push([]);
    groups.at(-1)!.push(line);
  }
  return groups.flatMap((group) => {
    const first = group.findIndex((line) => !isBlank(line));
    return first === -1 ? [] : [group.slice(first, group.findLastIndex((line) => !isBlank(line)) + 1)];
  });
}

/**
 * Returns the items of the texts at a path.
 * @throws ToolError if there are no items or too many items, or if a text is too large.
 */
export async function unitsOf({ path, each }: UnitArguments, world: ToolWorld): Promise<readonly Unit[]> {
  const begins = await beginsOf(each);
  const found = await findTexts(path, world);
  const rest = pacerOf(world);
  const units: Unit[] = [];
  for await (const one of found.texts) {
    await rest();
    const own = await one.use((text) => {
      if (text.bytes > mostBytes)
        throw new ToolError(`${shownName(text.name)} is too large: use sub_query for some of its lines`);
      const lines = linesOf(text);
      return groupsOf(lines, begins).map((group): Unit => {
        const [first, last] = [group[0]!, group.at(-1)!];
        const item = group.map((line) => line.text).join('\n');
        const span = { startLine: first.number, endLine: first.number, startByte: first.startByte };
        const passages = text.passagesAt({ ...span, endByte: first.endByte, text: first.text });
        return { source: text.name, startLine: first.number, endLine: last.number, text: item, passages };
      });
    });
    if (!isNoText(own)) units.push(...own);
    if (units.length > mostItems)
      throw new ToolError(`there are more than ${mostItems} items: name a narrower "path", or a larger "each".`);
  }
  if (units.length === 0) throw found.none();
  return units;
}
