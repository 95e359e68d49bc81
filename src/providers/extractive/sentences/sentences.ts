import type { Passage } from '../../../state.ts';
import { isWrapped, type Line, readLines } from './lines.ts';

/** A stretch of a passage that can be quoted by itself: a sentence, a log line, a list item, a line of code. */
export interface Sentence {
  readonly passage: Passage;
  /** The number of the stretch of text that it stands in: passages that follow each other in a document are one. */
  readonly stretch: number;
  /** Character range in the passage's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: Line['kind'];
  /**
   * What it stands under, a line each: the headings above it, the head of its table, the declaration below a
   * comment.
   */
  readonly under: string;
  /** Whether it is a piece of something too long, with more of it before or after. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type Block = Range & { readonly kind: Line['kind']; readonly under: string };

const longest = 400;
const joined = 300;
const sentenceEnd = /[.!?…]+["'”’)\]»*_`]*(?=\s)|[。！？]+[」』”）]*/g;
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|Fig|approx|z\.B|d\.h|bzw|ca)\.$/u;

function endsSentence(text: string, end: number): boolean {
  const after = text.slice(end).match(/^\s+(\S)/u);
  if (after !== null && /[\p{Ll}]/u.test(after[1] ?? '')) return false;
  return !abbreviation.test(text.slice(Math.max(0, end - 10), end));
}

/** Ranges of the sentences in a text. */
function splitSentences(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (const found of text.matchAll(sentenceEnd)) {
    const end = found.index + found[0].length;
    if (!endsSentence(text, end)) continue;
    ranges.push({ start, end });
    start = end;
  }
  ranges.push({ start, end: text.length });
  return ranges;
}

function cutPoint(text: string, start: number): number {
  const piece = text.slice(start, start + longest);
  const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf(','), piece.lastIndexOf('\n'));
  if (space > longest / 2) return start + space + 1;
  const end = start + longest;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

interface Piece extends Range {
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** Cuts what is too long for one quotation, at spaces where there are any. */
function cutLong(text: string, { start, end }: Range): Piece[] {
  const found: Piece[] = [];
  let from = start;
  while (end - from > longest * 1.5) {
    const to = cutPoint(text, from);
    found.push({ start: from, end: to, cutBefore: from > start, cutAfter: true });
    from = to;
  }
  found.push({ start: from, end, cutBefore: from > start, cutAfter: false });
  return found;
}

function continues(line: Line, next: Line | undefined, wrapped: boolean): boolean {
  if (next === undefined) return false;
  if (line.kind === 'comment') return next.kind === 'comment';
  if (line.kind === 'item' || line.kind === 'prose') {
    return next.kind === 'prose' && (line.kind === 'prose' ? wrapped : /^\s/.test(next.text) || wrapped);
  }
  return false;
}

/** The headings that a line stands under, the nearest last, by the number of their marks. */
function withHeading(headings: readonly string[], text: string): string[] {
  const level = text.match(/^#+/)?.[0].length ?? 1;
  return [...Array.from({ length: level - 1 }, (_, index) => headings[index] ?? ''), text];
}

/** The line of code that a comment stands above, with no more than the comment's own lines between. */
function declaredBelow(lines: readonly Line[], from: number): string[] {
  const next = lines.slice(from).find(({ kind }) => kind !== 'mark' && kind !== 'comment');
  return next?.kind === 'code' ? [next.text] : [];
}

/** What the lines of a passage stand under that it does not hold itself. */
interface Over {
  readonly headings: readonly string[];
  /** Of the table. */
  readonly head: string;
}

/** Lines that belong together, as ranges; each knows what it stands under. The head of a table is only a heading. */
function blocks(lines: readonly Line[], wrapped: boolean, over: Over): { found: Block[]; over: Over } {
  const found: Block[] = [];
  let { headings, head } = over;
  for (let index = 0; index < lines.length; index += 1) {
    const first = lines[index]!;
    if (first.kind === 'blank' || first.kind === 'mark') continue;
    let last = first;
    while (continues(lines[index]!, lines[index + 1], wrapped)) last = lines[++index]!;
    const next = lines[index + 1];
    if (first.kind === 'row' && next?.kind === 'mark') {
      head = first.text;
      continue;
    }
    const declared = first.kind === 'comment' ? declaredBelow(lines, index + 1) : [];
    const under = [...headings, ...(first.kind === 'row' ? [head] : declared)].filter((text) => text !== '');
    found.push({ start: first.start, end: last.end, kind: first.kind, under: under.join('\n') });
    if (first.kind === 'heading') headings = withHeading(headings, first.text);
  }
  return { found, over: { headings, head } };
}

function pieces(text: string, block: Block): (Block & Piece)[] {
  const whole = text.slice(block.start, block.end);
  const prose =
    block.kind === 'prose' || ((block.kind === 'item' || block.kind === 'comment') && whole.length > joined);
  const ranges = prose ? splitSentences(whole) : [{ start: 0, end: whole.length }];
  const { kind, under } = block;
  return ranges
    .flatMap((range) => cutLong(whole, range))
    .map(({ start, end, cutBefore, cutAfter }) => ({
      start: block.start + start,
      end: block.start + end,
      kind,
      under,
      cutBefore,
      cutAfter,
    }));
}

const hasWord = /[\p{L}\p{N}]/u;

/** Passages of one document without a gap between them, in order. */
function stretchesOf(passages: readonly Passage[]): Passage[][] {
  const bySource = new Map<string, Passage[]>();
  for (const passage of passages) bySource.set(passage.source, [...(bySource.get(passage.source) ?? []), passage]);
  return [...bySource.values()].flatMap((all) => {
    const found: Passage[][] = [];
    for (const passage of [...all].sort((one, other) => one.startByte - other.startByte)) {
      const last = found.at(-1);
      if (last !== undefined && passage.startByte <= last.at(-1)!.endByte) last.push(passage);
      else found.push([passage]);
    }
    return found;
  });
}

const longestTitle = 80;

/** The first line of a document is its title where it stands alone and ends as no sentence does. */
function withTitle(lines: readonly Line[], { startByte }: Passage): readonly Line[] {
  const [first, next, ...others] = lines;
  const isTitle =
    startByte === 0 &&
    first?.kind === 'prose' &&
    next?.kind === 'blank' &&
    first.text.length <= longestTitle &&
    !/[.!?:;,。！？：]\s*$/.test(first.text);
  return isTitle ? [{ ...first, kind: 'heading' }, next, ...others] : lines;
}

function readStretch(passages: readonly Passage[], stretch: number): Sentence[] {
  let over: Over = { headings: [], head: '' };
  return passages.flatMap((passage) => {
    const { text, source } = passage;
    const lines = withTitle(readLines(text, source), passage);
    const read = blocks(lines, isWrapped(lines, source), over);
    over = read.over;
    return read.found
      .flatMap((block) => pieces(text, block))
      .map((part) => ({ ...part, passage, stretch, text: text.slice(part.start, part.end) }))
      .filter((sentence) => hasWord.test(sentence.text));
  });
}

/** Splits passages into their sentences, those of a document in the order of its text. */
export function readSentences(passages: readonly Passage[]): Sentence[] {
  return stretchesOf(passages).flatMap(readStretch);
}
