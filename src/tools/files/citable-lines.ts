import type { FileLines } from './file-passage.ts';
import { countFeeds } from './lines-of.ts';
import type { MatchedLine } from './search-text.ts';
import type { FileText } from './walls/file-text.ts';

const lineFeed = 0x0a;

/**
 * The longest stretch of matching lines that is cited, in bytes; more of a long line is cited from what read_file
 * shows.
 */
const longestBytes = 4_096;

type Lines = Pick<FileLines, 'startLine' | 'endLine' | 'startByte' | 'endByte'>;

/** Returns where the `count` lines before a line begin; never the middle of a line. */
function startBefore(text: FileText, startByte: number, count: number): number {
  const from = Math.max(0, startByte - longestBytes);
  const bytes = text.read(from, startByte);
  let start = bytes.length;
  for (let left = count; left > 0 && start > 0; left--) {
    const feed = start < 2 ? -1 : bytes.lastIndexOf(lineFeed, start - 2);
    if (feed === -1 && from > 0) break;
    start = feed + 1;
  }
  return from + start;
}

/** Returns where the `count` lines after a line end; never the middle of a line. */
function endBehind(text: FileText, endByte: number, count: number): number {
  const bytes = text.read(endByte, Math.min(text.bytes, endByte + longestBytes));
  const isWhole = endByte + bytes.length >= text.bytes;
  let end = 0;
  for (let left = count; left > 0 && end < bytes.length; left--) {
    const feed = bytes.indexOf(lineFeed, end);
    if (feed === -1 && !isWhole) break;
    end = feed === -1 ? bytes.length : feed + 1;
  }
  return endByte + end;
}

function withContext(text: FileText, { line, startByte, endByte }: MatchedLine, contextLines: number): Lines {
  const start = startBefore(text, startByte, contextLines);
  const end = endBehind(text, endByte, contextLines);
  const behind = text.read(endByte, end);
  const after = countFeeds(behind) + (behind.length > 0 && behind.at(-1) !== lineFeed ? 1 : 0);
  const before = countFeeds(text.read(start, startByte));
  return { startLine: line - before, endLine: line + after, startByte: start, endByte: end };
}

/** Joins matching lines with the lines around them that are shown, neighbours together. */
export function citable(text: FileText, matches: readonly MatchedLine[], contextLines: number): FileLines[] {
  const groups: Lines[] = [];
  for (const match of matches) {
    if (match.endByte - match.startByte > longestBytes) continue;
    const lines = withContext(text, match, contextLines);
    const last = groups.at(-1);
    const joins =
      last !== undefined && lines.startByte <= last.endByte && lines.endByte - last.startByte <= longestBytes;
    if (joins) groups[groups.length - 1] = { ...last, endLine: lines.endLine, endByte: lines.endByte };
    else groups.push(lines);
  }
  return groups.map((lines) => ({
    source: text.name,
    ...lines,
    text: text.read(lines.startByte, lines.endByte).toString('utf8'),
  }));
}
