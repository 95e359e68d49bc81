import { createFences } from '../fences.ts';

/** Rating of the start of a line as a place to cut: 0 for an ordinary line, up to 3 for the best. */
export type Strength = 0 | 1 | 2 | 3;

/** Rates the start of a line. Called for every line in order. `afterBlank`: whether the line before is blank. */
export type BoundaryFinder = (text: Buffer, start: number, end: number, afterBlank: boolean) => Strength;

/** Maximum number of bytes of a line that a boundary finder receives. */
export const judgedBytes = 256;

/** Share of `chunkBytes` that a chunk must fill before it may end at a boundary, by the boundary's strength. */
const leastFill: Readonly<Record<Strength, number>> = { 0: 0, 1: 1 / 2, 2: 1 / 4, 3: 0 };

export interface Boundary {
  readonly byte: number;
  /** Number of lines before the boundary. */
  readonly line: number;
  readonly strength: Strength;
}

/** Returns the strongest boundary where the chunk is full enough, or null. Of equally strong ones, returns the last. */
export function bestBoundary(boundaries: readonly Boundary[], start: number, chunkBytes: number): Boundary | null {
  let best: Boundary | null = null;
  for (const boundary of boundaries) {
    const { byte, strength } = boundary;
    const isFull = byte - start >= leastFill[strength] * chunkBytes;
    if (isFull && strength >= (best?.strength ?? 0)) best = boundary;
  }
  return best;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/**
 * Returns the byte at which to cut, which is at most `limit`. Cuts after a space or line feed if the last quarter
 * before `limit` contains one; otherwise cuts between two characters.
 */
export function cutBefore(text: Buffer, start: number, limit: number): number {
  const quarter = limit - Math.floor((limit - start) / 4);
  for (let cut = limit; cut > quarter; cut--) if (isSpace(text[cut - 1]!)) return cut;
  let cut = limit;
  while (limit - cut < 3 && isContinuation(text[cut])) cut--;
  return isContinuation(text[cut]) ? limit : cut;
}

const isSpace = (byte: number) => byte === space || byte === lineFeed;

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns where the content of a line ends. `end`: the end of the line, after its line break. */
export function contentEnd(text: Buffer, start: number, end: number): number {
  if (end > start && text[end - 1] === lineFeed) end--;
  return end > start && text[end - 1] === carriageReturn ? end - 1 : end;
}

/** Whether a line holds nothing but spaces, tabs and other control characters. */
export function isBlank(text: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text[index]! > space) return false;
  return true;
}

/** Finds paragraphs. A chunk may end after a blank line if it is at least half full. */
export const afterBlankLines: BoundaryFinder = (_text, _start, _end, afterBlank) => (afterBlank ? 1 : 0);

/** Finds paragraphs, and keeps them whole if they fit into a chunk. */
export const betweenParagraphs: BoundaryFinder = (_text, _start, _end, afterBlank) => (afterBlank ? 3 : 0);

const headingPattern = /^ {0,3}(#{1,6})(?:[ \t\r\n]|$)/;
const firstBytes = new Set(Buffer.from(' #`~'));

/** Creates a finder of Markdown sections. Outside fenced code, it rates headings of levels 1 and 2 highest. */
export function createSectionFinder(): BoundaryFinder {
  const fences = createFences();

  function strengthOfHeading(line: string): Strength {
    const level = headingPattern.exec(line)?.[1]?.length ?? 0;
    return level === 0 ? 0 : level <= 2 ? 3 : 2;
  }

  return (text, start, end, afterBlank) => {
    const otherwise = afterBlank && !fences.isOpen() ? 1 : 0;
    if (!firstBytes.has(text[start]!)) return otherwise;
    const line = text.toString('latin1', start, end);
    return fences.covers(line) ? otherwise : strengthOfHeading(line) || otherwise;
  };
}

/** Matches the beginnings of records in logs and JSON lines. Each pattern takes linear time. */
const beginnings: readonly RegExp[] = [
  /^\{\s*"/,
  // 2026-11-21T10:00, 2026/11/21 10:00, also in brackets or after a syslog priority
  /^(?:<\d{1,3}>\d? ?)?[[(]?\d{4}[-/.]\d{2}[-/.]\d{2}[T _]\d{2}:\d{2}/,
  // 21/Nov/2026:10:00, 21.11.2026 10:00
  /^[[(]?\d{1,2}[-/. ](?:\d{1,2}|[A-Z][a-z]{2})[-/. ]\d{2,4}[ T:,]+\d{2}:\d{2}/,
  // Nov 21 10:00:00, Sat Nov 21 10:00:00
  /^(?:<\d{1,3}>)?[[(]?(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}/,
  // 10:00:00
  /^[[(]?\d{2}:\d{2}:\d{2}(?!\d)/,
  // 1700000000.123, [12.345678]
  /^[[(]?\d{10}(?:\d{3})?(?:\.\d+)?(?!\d)/,
  /^\[ *\d+\.\d{6}\]/,
  // E1121 10:00:00
  /^[IWEF]\d{4} \d{2}:\d{2}/,
  // 127.0.0.1 - - [21/Nov/2026:10:00:00
  /^\S{1,100} \S{1,50} \S{1,50} \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:/,
  /^[[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)(?![\w-])/,
];

const beginsRecord = (line: string) => beginnings.some((pattern) => pattern.test(line));

const isIndented = (byte: number | undefined) => byte === undefined || byte <= 0x20;

/** Finds records. Keeps a record with its continuation lines, such as a stack trace, whole if it fits into a chunk. */
export const betweenRecords: BoundaryFinder = (text, start, end) =>
  !isIndented(text[start]) && beginsRecord(text.toString('latin1', start, end)) ? 3 : 0;

/** Matches the UTF-8 byte order mark, decoded as Latin-1. */
const byteOrderMark = /^\xef\xbb\xbf/;

/** Whether the first non-blank line of `head` and at least two others begin a record, as in a log. */
export function looksLikeRecords(head: Buffer): boolean {
  const lines = head.toString('latin1').replace(byteOrderMark, '').split('\n');
  const begins = lines.filter((line) => line.trim() !== '').map(beginsRecord);
  return begins[0] === true && begins.filter(Boolean).length >= 3;
}

/** Closing brackets, which belong to the definition above. */
const closing = new Set(Buffer.from(')]}'));

/** Finds boundaries of code without parsing it: an unindented line after a blank line begins a definition. */
export const betweenOutermostLines: BoundaryFinder = (text, start, _end, afterBlank) => {
  if (!afterBlank) return 0;
  const first = text[start]!;
  return first > 0x20 && !closing.has(first) ? 3 : 1;
};
