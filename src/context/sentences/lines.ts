import { isFence } from '../fences.ts';

type LineKind = 'blank' | 'mark' | 'heading' | 'item' | 'row' | 'log' | 'comment' | 'code' | 'prose';

/** A line of a text, with its character range. The line break is left out. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: LineKind;
}

const codeFile =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|swift|c|cc|cpp|h|hpp|cs|rb|php|pl|lua|sh|bash|zsh|ps1|sql|json|ya?ml|toml|ini|css|scss|html?|xml|vue|svelte|proto|tf|gradle)$/i;
/** Matches files whose lines are records. */
export const recordFile = /\.(?:log|csv|tsv|jsonl|ndjson)$/i;
const mailFile = /\.(?:eml|mbox|mbx)$/i;
/** Matches a header of a mail. */
const field = /^(?:From |[A-Z][\w-]*:)/;
const proseFile = /\.(?:md|mdx|markdown|rst|adoc|tex)$/i;

const shapes: readonly (readonly [LineKind, RegExp])[] = [
  ['blank', /^\s*$/],
  ['mark', /^(?:[-=*_#|+:\s]{3,}$|\s*(?:`{3,}[^`]*$|~~~|\/?\*+\/?\s*$))/],
  ['row', /^\s*\|.*\|\s*$/],
  [
    'log',
    /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d{1,2}:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|PASS|FAIL)\b|npm (?:ERR!|error|warn|notice)\b|\w*(?:Error|Exception): )|^\s+at |^\s*[✓✔✗✘✖×]/,
  ],
];
const comment = /^\s*(?:\/\/|\/\*|\*(?!\*)|#(?!!|include|define|if|endif)|--\s|""")/;
const codeLike =
  /[;{}]\s*$|^\s*(?:import|export|const|let|var|function|class|def|return|if \(|for \(|#include|\$ |[.)\]}])/;

function kindOf(text: string, code: boolean): LineKind {
  const shape = shapes.find(([, pattern]) => pattern.test(text));
  if (shape !== undefined) return shape[0];
  if (code) return comment.test(text) ? 'comment' : 'code';
  if (/^#{1,6}\s+\S/.test(text)) return 'heading';
  if (/^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/.test(text)) return 'item';
  if (/^\s*(?:\/\/|\/\*)/.test(text)) return 'comment';
  return codeLike.test(text) ? 'code' : 'prose';
}

const underlined = /^(?:={3,}|-{3,})\s*$/;
/** Whether a row is a fence. In a list, a fence is indented further than `isFence` allows. */
const isIndentedFence = (row: string): boolean => isFence(row.trimStart());

/** Whether a piece of a document probably begins inside a code block, so that its first fence closes the block. */
function startsInFence(rows: readonly string[]): boolean {
  const [first, second] = rows.filter(isIndentedFence).map((row) => row.trim());
  if (first === undefined || first.length > 3) return false;
  if (second !== undefined) return second.length > 3;
  const at = rows.findIndex(isIndentedFence);
  return shareOfCode(rows.slice(0, at)) > shareOfCode(rows.slice(at + 1));
}

function shareOfCode(rows: readonly string[]): number {
  const written = rows.filter((row) => row.trim() !== '');
  return written.length === 0 ? 0 : written.filter((row) => codeLike.test(row)).length / written.length;
}

/** Splits a text into lines with their kinds. */
export function readLines(text: string, source: string): Line[] {
  const lines: Line[] = [];
  const rows = text.split('\n');
  let code = codeFile.test(source) || startsInFence(rows);
  let start = 0;
  for (const raw of rows) {
    const next = rows[lines.length + 1] ?? '';
    const own = mailFile.test(source) && field.test(raw) ? 'item' : kindOf(raw, code);
    const kind = underlined.test(next) && own === 'prose' ? 'heading' : own;
    if (isIndentedFence(raw) && !codeFile.test(source)) code = !code;
    lines.push({ start, end: start + raw.length, text: raw, kind });
    start += raw.length + 1;
  }
  return lines;
}

/** Whether lines of prose are parts of wrapped paragraphs, instead of independent statements. */
export function isWrapped(lines: readonly Line[], source: string): boolean {
  if (proseFile.test(source)) return true;
  if (recordFile.test(source)) return false;
  let open = 0;
  let continued = 0;
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    if (line.kind !== 'prose' || next?.kind !== 'prose' || /[.!?:;。！？]\s*$/.test(line.text)) return;
    open += 1;
    if (/^\s*[\p{Ll}\p{Lo}("'„“]/u.test(next.text)) continued += 1;
  });
  return open > 0 && continued / open >= 0.4;
}

/** Matches the end of a sentence or of a clause that introduces what follows. */
const closed = /[.!?:;。！？]["')\]”’»]*\s*$/;

/** Minimum length of the longest line of a filled paragraph, in characters. */
const narrowest = 40;
/** In filled text, a line together with the first word of the next line exceeds this share of the longest line. */
const filled = 0.8;

/** Returns the paragraphs of two lines or more. */
function paragraphsOf(lines: readonly Line[]): Line[][] {
  const found: Line[][] = [];
  lines.forEach((line, index) => {
    if (line.kind !== 'prose') return;
    if (lines[index - 1]?.kind === 'prose') found.at(-1)!.push(line);
    else found.push([line]);
  });
  return found.filter(({ length }) => length > 1);
}

/**
 * Whether paragraphs are filled up to a width: the last line of a paragraph ends a sentence; the other lines seldom end
 * one, and are about as long as the longest line. Does not look for lower-case letters at the beginnings of lines,
 * because German nouns begin with capitals.
 */
export function isFilled(lines: readonly Line[]): boolean {
  const paragraphs = paragraphsOf(lines);
  let breaks = 0;
  let open = 0;
  let full = 0;
  for (const paragraph of paragraphs) {
    const width = Math.max(...paragraph.map(({ text }) => text.trimEnd().length));
    paragraph.slice(1).forEach(({ text }, index) => {
      const before = paragraph[index]!.text.trimEnd();
      const reached = before.length + 1 + /\S+/.exec(text)![0].length;
      breaks += 1;
      if (!closed.test(before)) open += 1;
      if (width >= narrowest && reached > width * filled) full += 1;
    });
  }
  const ended = paragraphs.filter((paragraph) => closed.test(paragraph.at(-1)!.text)).length;
  return breaks > 0 && ended / paragraphs.length >= 0.8 && open / breaks >= 0.6 && full / breaks >= 0.8;
}
