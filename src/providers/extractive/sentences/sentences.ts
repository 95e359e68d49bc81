import type { Passage } from '../../../state.ts';
import { isWrapped, type Line, readLines } from './lines.ts';

/** A stretch of a passage that can be quoted by itself: a sentence, a log line, a list item, a line of code. */
export interface Sentence {
  readonly passage: Passage;
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

/** Lines that belong together, as ranges; each knows what it stands under. The head of a table is only a heading. */
function blocks(lines: readonly Line[], wrapped: boolean): Block[] {
  const found: Block[] = [];
  let headings: readonly string[] = [];
  let head = '';
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
    const declared = first.kind === 'comment' && next?.kind === 'code' ? [next.text] : [];
    const over = [...headings, ...(first.kind === 'row' ? [head] : declared)].filter((text) => text !== '');
    found.push({ start: first.start, end: last.end, kind: first.kind, under: over.join('\n') });
    if (first.kind === 'heading') headings = withHeading(headings, first.text);
  }
  return found;
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

const leadIn = /[:：]\s*$/;
const asks = /[?？]["'”’)*_]*\s*$/;

/** A heading, a lead-in that ends with a colon, a comment, and a question say little without what follows them. */
function withNext<B extends Block>(block: B, next: Block | undefined, text: string): B {
  if (next === undefined || next.kind === 'heading' || next.end - block.start > joined) return block;
  const own = text.slice(block.start, block.end);
  const leads =
    (block.kind === 'heading' && next.kind !== 'row') ||
    (block.kind === 'comment' && next.kind === 'code') ||
    (block.kind !== 'code' && leadIn.test(own)) ||
    (block.kind !== 'code' && next.kind === 'prose' && asks.test(own));
  return leads ? { ...block, end: next.end } : block;
}

const hasWord = /[\p{L}\p{N}]/u;

/** Splits a passage into its sentences, in order. */
export function readSentences(passage: Passage): Sentence[] {
  const { text, source } = passage;
  const lines = readLines(text, source);
  const parts = blocks(lines, isWrapped(lines, source)).flatMap((block) => pieces(text, block));
  return parts
    .map((part, index) => toSentence(withNext(part, parts[index + 1], text), passage))
    .filter((sentence) => hasWord.test(sentence.text));
}

function toSentence({ start, end, kind, under, cutBefore, cutAfter }: Block & Piece, passage: Passage): Sentence {
  return { passage, start, end, text: passage.text.slice(start, end), kind, under, cutBefore, cutAfter };
}
