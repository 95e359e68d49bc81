import { extensionOf, isCodeName } from '../chunkers/languages.ts';
import { createFences } from '../fences.ts';
import { isMailStart } from '../mail-start.ts';
import { speakerOf } from '../words/speech.ts';

const named =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final|override|declare)\s+)*(?:function|class|interface|enum|struct|trait|impl|def|fn|func|namespace|module|type|object)\b/;
const assigned =
  /^\s*(?:(?:export|const|let|var)\s+)*[\w$.]+\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>)/;
/** Matches a constant or variable whose value begins on the next line. */
const announced = /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=]+)?\s*=\s*$/;
const method =
  /^\s+(?:(?:async|static|get|set|public|private|protected|override)\s+)*(?!async\b|function\b)[\w$]+\s*\([^;]*\{\s*$/;
const statement = /^\s*(?:if|for|while|switch|catch|with|return|else|do|try)\b/;

/** Whether a line of code begins a definition with a name, such as a function, a class or a method. */
export const definesCode = (line: string): boolean =>
  named.test(line) || assigned.test(line) || announced.test(line) || (method.test(line) && !statement.test(line));

/** Whether a line of code is a comment or a decorator. Both may occur above a definition. */
export const isComment = (line: string): boolean =>
  /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|--\s|@)/.test(line);

/** Whether a line of code begins with a closing bracket. */
export const isClosing = (line: string): boolean => /^\s*[)\]}]/.test(line);

interface LineFollower {
  pass(line: string): void;
  /** Returns the headings that apply to `line`, the next line; outermost first. */
  over(line: string): readonly string[];
}

const heading = /^ {0,3}(#{1,6})\s+\S/;
const row = /^\s*\|.*\|\s*$/;

function followMarkdown(): LineFollower {
  /** The headings that apply, by their level. A level that the document skips has an empty slot. */
  const headings: string[] = [];
  const fences = createFences();
  let head = '';
  return {
    pass(line) {
      const level = fences.covers(line) ? 0 : (heading.exec(line)?.[1]?.length ?? 0);
      if (level > 0) headings.length = level - 1;
      if (level > 0) headings.push(line.trim());
      if (fences.isOpen() || !row.test(line)) head = '';
      else if (head === '') head = line.trim();
    },
    over(line) {
      const level = fences.isOpen() ? undefined : heading.exec(line)?.[1]?.length;
      const above = level === undefined ? headings : headings.slice(0, level - 1);
      return [...above, ...(row.test(line) ? [head] : [])].filter((one) => one && one !== line.trim());
    },
  };
}

function followTable(): LineFollower {
  let head: string | null = null;
  return {
    pass(line) {
      head ??= line.trim();
    },
    over: () => (head ? [head] : []),
  };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Tracks the less indented lines that enclose a line (definitions in code, keys in YAML), and the section header. */
function followIndented(
  skips: (line: string) => boolean,
  opens: (line: string) => boolean,
  isSection: (line: string) => boolean,
): LineFollower {
  let open: { readonly indent: number; readonly line: string }[] = [];
  const around = (line: string) => open.filter(({ indent }) => indent < indentOf(line));
  return {
    pass(line) {
      if (line.trim() === '' || skips(line)) return;
      // The lines of a section are not indented. The indent -1 makes the header enclose these lines.
      if (isSection(line)) open = [{ indent: -1, line: line.trim() }];
      else open = [...around(line), ...(opens(line) ? [{ indent: indentOf(line), line: line.trim() }] : [])];
    },
    over: (line) => (isSection(line) ? [] : around(line).map((one) => one.line)),
  };
}

const followCode = (): LineFollower => followIndented(isClosing, definesCode, () => false);

const opensKey = /^\s*(?:- +)*(?:"[^"]+"|'[^']+'|[^\s#:'"][^#:]*?):(?:\s+#.*|\s*)$|^\s*- +\S/;
const section = /^\s*\[+[^\]]+\]+\s*(?:#.*)?$/;

/** Follows keys and section headers. The first line of a YAML list item serves as its key. */
const followKeys = (): LineFollower =>
  followIndented(
    (line) => /^\s*#/.test(line),
    (line) => opensKey.test(line),
    (line) => section.test(line),
  );

const dayForm = (): RegExp =>
  /(?<![\p{L}\p{N}])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}\.? \p{L}{3,9},? \d{4}|\p{L}{3,9} \d{1,2},? \d{4})(?![\p{L}\p{N}])/u;
const timed = /\d{1,2}:\d{2}/;
const sentenceEnd = /[.!?;:]\s*$/;
const longestDay = 60;
/** Maximum number of words that a day line contains besides the date, such as "Monday" or "Day 3". */
const mostBesideDate = 2;

function isDayLine(line: string): boolean {
  if (line.length > longestDay || timed.test(line) || sentenceEnd.test(line) || !dayForm().test(line)) return false;
  return (line.replace(dayForm(), ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= mostBesideDate;
}

/** Maximum number of head lines of a letter (number, writer, subject) on each side of its day line. */
const mostBesideDay = 2;

const isHeadLine = (line: string): boolean => line.length <= longestDay && !timed.test(line) && !sentenceEnd.test(line);

const beginsMail = (line: string): boolean => isMailStart(line) || /^Date: .*\d\d:\d\d/.test(line);

/**
 * Tracks the current day, and the line in which the current speaker began to speak, in a chat or in letters.
 * @param hasHead whether short lines next to the day, such as the writer of a letter, are included.
 */
function followTalk(hasHead: boolean): LineFollower {
  let head: readonly string[] = [];
  let speech = '';
  /** The lines since the last blank line, and the index of the day among them; -1 without a day. */
  let block: string[] = [];
  let dayAt = -1;
  const begins = (line: string) => timed.test(line);
  const headLinesOf = (lines: readonly string[]) =>
    hasHead && lines.length <= mostBesideDay && lines.every(isHeadLine) ? lines : [];
  function pass(line: string): void {
    if (beginsMail(line)) [head, speech] = [[], ''];
    else if (isDayLine(line)) {
      head = [...headLinesOf(block), line.trim()];
      [speech, dayAt] = ['', block.length];
    } else if (begins(line)) speech = speakerOf(line) === null ? '' : line.trim();
    if (line.trim() !== '') block.push(line.trim());
    else {
      if (dayAt >= 0) head = [...head, ...headLinesOf(block.slice(dayAt + 1))];
      [block, dayAt] = [[], -1];
    }
  }
  return {
    pass,
    over: (line) => [...(dayForm().test(line) ? [] : head), ...(begins(line) || speech === '' ? [] : [speech])],
  };
}

/** Whether a name has an extension of YAML, TOML or INI. */
export const isKeyedName = (name: string): boolean => ['yaml', 'yml', 'toml', 'ini'].includes(extensionOf(name));

const talkExtensions = new Set(['txt', 'log', '']);

function followerOf(name: string): LineFollower | null {
  if (isCodeName(name)) return followCode();
  const extension = extensionOf(name);
  if (isKeyedName(name)) return followKeys();
  if (['md', 'mdx', 'markdown'].includes(extension)) return followMarkdown();
  return ['csv', 'tsv'].includes(extension) ? followTable() : null;
}

const longestLine = 200;

/** Reads the pieces of a document in order, and returns the headings that apply to each. */
export type UnderReader = (text: string) => readonly string[];

/** Creates a reader of the headings, table header, definitions or keys above text; null for a kind without them. */
export function createUnderReader(name: string): UnderReader | null {
  const follower = followerOf(name);
  return follower === null ? null : readerOf(follower);
}

/**
 * Creates the reader of the day and the speaker in a chat or a log; null for other documents.
 * @param hasHead whether the head of a letter is included. False for a passage, which may span several letters.
 */
export const createTalkReader = (name: string, hasHead: boolean): UnderReader | null =>
  talkExtensions.has(extensionOf(name)) ? readerOf(followTalk(hasHead)) : null;

function readerOf(follower: LineFollower): UnderReader {
  return (text) => {
    const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
    const lines = whole.split('\n').map((line) => line.slice(0, longestLine));
    const first = lines.find((line) => line.trim() !== '' && !isClosing(line)) ?? '';
    const over = follower.over(first);
    for (const line of lines) follower.pass(line);
    return over;
  };
}
