import type { Passage } from '../../state.ts';
import { createUnderReader, isKeyedName } from '../under/under-reader.ts';
import { type Block, type Over, readBlocks, sentencesOf } from './blocks.ts';
import { isFilled, isWrapped, type Line, readLines, recordFile } from './lines.ts';

/** A part of a passage that can be quoted by itself: a sentence, a log line, a list item, a line of code. */
export interface Sentence {
  readonly passage: Passage;
  /** Number of its stretch. A stretch is a series of passages of one document that adjoin or overlap. */
  readonly stretch: number;
  /** Character range in the passage's text, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: Line['kind'];
  /** Headings, the table header or the keys above the sentence, and the declaration below a comment; one per line. */
  readonly under: string;
  /** Whether a longer sentence was cut before or after this part. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

const cutLength = 400;

function cutPoint(text: string, start: number): number {
  const piece = text.slice(start, start + cutLength);
  const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf(','), piece.lastIndexOf('\n'));
  if (space > cutLength / 2) return start + space + 1;
  const end = start + cutLength;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

function cutLong(text: string, block: Block) {
  const { start, end } = block;
  const found: (Block & Pick<Sentence, 'cutBefore' | 'cutAfter'>)[] = [];
  let from = start;
  while (end - from > cutLength * 1.5) {
    const to = cutPoint(text, from);
    found.push({ ...block, start: from, end: to, cutBefore: from > start, cutAfter: true });
    from = to;
  }
  found.push({ ...block, start: from, cutBefore: from > start, cutAfter: false });
  return found;
}

const hasWord = /[\p{L}\p{N}]/u;

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

/** Marks a short first line of a document as a heading if a blank line follows and no punctuation ends the line. */
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
  const name = passages[0]?.source ?? '';
  const keysOver = isKeyedName(name) ? createUnderReader(name) : null;
  return passages.flatMap((passage) => {
    const { text, source } = passage;
    const lines = withTitle(readLines(text, source), passage);
    const wrapped = isWrapped(lines, source) || (!recordFile.test(source) && isFilled(lines));
    const read = readBlocks(lines, wrapped, over);
    over = read.over;
    const blocks = read.found.map((block) =>
      keysOver === null ? block : { ...block, under: keysOver(text.slice(block.start, block.end)).join('\n') },
    );
    return blocks
      .flatMap((block) => sentencesOf(text, block, recordFile.test(source)))
      .flatMap((block) => cutLong(text, block))
      .map((part) => ({ ...part, passage, stretch, text: text.slice(part.start, part.end) }))
      .filter((sentence) => hasWord.test(sentence.text));
  });
}

/** Splits passages into sentences. Sentences of one document are in text order. */
export function readSentences(passages: readonly Passage[]): Sentence[] {
  return stretchesOf(passages).flatMap(readStretch);
}
