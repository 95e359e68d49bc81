import type { Line } from './lines.ts';
import { type Range, splitSentences } from './split.ts';

/** Lines that belong together: a paragraph, a list item with continuation lines, a log line, a row. */
export interface Block extends Range {
  readonly kind: Line['kind'];
  /** Headings, the table header above a row, and the line of code below a comment; one per line. */
  readonly under: string;
}

/** Headings and table header that apply to a text but are outside it. */
export interface Over {
  readonly headings: readonly string[];
  /** First row of the table; empty outside of a table. */
  readonly head: string;
}

function continues(line: Line, next: Line | undefined, wrapped: boolean): boolean {
  if (next === undefined) return false;
  if (line.kind === 'comment') return next.kind === 'comment';
  if (line.kind === 'item' || line.kind === 'prose') {
    return next.kind === 'prose' && (line.kind === 'prose' ? wrapped : /^\s/.test(next.text) || wrapped);
  }
  return false;
}

function withHeading(headings: readonly string[], text: string): string[] {
  const level = text.match(/^#+/)?.[0].length ?? 1;
  return [...Array.from({ length: level - 1 }, (_, index) => headings[index] ?? ''), text];
}

function declaredBelow(lines: readonly Line[], from: number): string[] {
  const next = lines.slice(from).find(({ kind }) => kind !== 'mark' && kind !== 'comment');
  return next?.kind === 'code' ? [next.text] : [];
}

/** Groups lines into blocks, each with the headings and the table header above it. A table header is not a block. */
export function readBlocks(lines: readonly Line[], wrapped: boolean, over: Over): { found: Block[]; over: Over } {
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
    if (first.kind !== 'row') head = '';
    const declared = first.kind === 'comment' ? declaredBelow(lines, index + 1) : [];
    const under = [...headings, ...(first.kind === 'row' ? [head] : declared)].filter((text) => text !== '');
    found.push({ start: first.start, end: last.end, kind: first.kind, under: under.join('\n') });
    if (first.kind === 'heading') headings = withHeading(headings, first.text);
  }
  return { found, over: { headings, head } };
}

/** Maximum length of a list item, a comment or a line of a record file that stays whole, in characters. */
const longestWhole = 300;

/**
 * Splits a block of prose into sentences. A short list item or comment stays whole. So does a short line of a record
 * file, because such a line often has names such as `B. Roy`.
 */
export function sentencesOf(text: string, block: Block, isRecord = false): Block[] {
  const whole = text.slice(block.start, block.end);
  const isText = block.kind === 'prose' || block.kind === 'item' || block.kind === 'comment';
  const isProse = isText && ((block.kind === 'prose' && !isRecord) || whole.length > longestWhole);
  const ranges = isProse ? splitSentences(whole) : [{ start: 0, end: whole.length }];
  return ranges.map(({ start, end }) => ({ ...block, start: block.start + start, end: block.start + end }));
}
