import { extensionOf, isCodeName } from '../chunkers/languages.ts';
import { speakerOf } from '../words/speech.ts';

/** Follows a document's lines, and tells what stands over the next one. */
interface LineFollower {
  /** Passes a line, without its line end. */
  pass(line: string): void;
  /** What stands over a line that comes next, the outermost first. */
  over(line: string): readonly string[];
}

const heading = /^ {0,3}(#{1,6})\s+\S/;
const fence = /^ {0,3}(?:```|~~~)/;
const row = /^\s*\|.*\|\s*$/;

/** The headings of Markdown, and the head of a table. */
function followMarkdown(): LineFollower {
  const headings: string[] = [];
  let inFence = false;
  let head = '';
  return {
    pass(line) {
      if (fence.test(line)) inFence = !inFence;
      if (inFence) return;
      const level = heading.exec(line)?.[1]?.length ?? 0;
      if (level > 0) headings.splice(level - 1, headings.length, line.trim());
      if (!row.test(line)) head = '';
      else if (head === '') head = line.trim();
    },
    over: (line) => [...headings, ...(row.test(line) ? [head] : [])].filter((one) => one && one !== line.trim()),
  };
}

/** The first line of a table. */
function followTable(): LineFollower {
  let head: string | null = null;
  return {
    pass(line) {
      head ??= line.trim();
    },
    over: () => (head ? [head] : []),
  };
}

const named =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final|override|declare)\s+)*(?:function|class|interface|enum|struct|trait|impl|def|fn|func|namespace|module|type|object)\b/;
const assigned =
  /^\s*(?:(?:export|const|let|var)\s+)*[\w$.]+\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>)/;
const method = /^\s+(?:(?:async|static|get|set|public|private|protected|override)\s+)*[\w$]+\s*\([^;]*\{\s*$/;
const statement = /^\s*(?:if|for|while|switch|catch|with|return|else|do|try)\b/;
const closing = /^\s*[)\]}]/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The definitions that a line of code is in, by their indentation. */
function followCode(): LineFollower {
  let open: { readonly indent: number; readonly line: string }[] = [];
  const around = (line: string) => open.filter(({ indent }) => indent < indentOf(line));
  return {
    pass(line) {
      if (line.trim() === '' || closing.test(line)) return;
      open = around(line);
      const defines = named.test(line) || assigned.test(line) || (method.test(line) && !statement.test(line));
      if (defines) open.push({ indent: indentOf(line), line: line.trim() });
    },
    over: (line) => around(line).map((one) => one.line),
  };
}

const day =
  /(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}\.? \p{L}{3,9},? \d{4}|\p{L}{3,9} \d{1,2},? \d{4})/u;
const timed = /\d{1,2}:\d{2}/;
const longestDay = 60;

/** The line that says which day it is, and the line in which somebody began to speak. */
function followTalk(): LineFollower {
  let date = '';
  let speech = '';
  const begins = (line: string) => timed.test(line);
  return {
    pass(line) {
      if (line.length <= longestDay && !begins(line) && day.test(line)) [date, speech] = [line.trim(), ''];
      else if (begins(line)) speech = speakerOf(line) === null ? '' : line.trim();
    },
    over: (line) => [...(day.test(line) ? [] : [date]), ...(begins(line) ? [] : [speech])].filter((one) => one !== ''),
  };
}

const talks = new Set(['txt', 'log', '']);

function followerOf(name: string): LineFollower | null {
  if (isCodeName(name)) return followCode();
  const extension = extensionOf(name);
  if (['md', 'mdx', 'markdown'].includes(extension)) return followMarkdown();
  return ['csv', 'tsv'].includes(extension) ? followTable() : null;
}

/** Longer lines tell no more of what follows them; in characters. */
const longestLine = 200;

/** Reads the pieces of a document in their order, and tells what each stands under. */
export type UnderReader = (text: string) => readonly string[];

/**
 * Tells what the text of a document stands under that it does not hold itself: its headings, the head of its table, the
 * definitions of code that it is in. Null for a document of a kind that has none, by its name.
 */
export function createUnderReader(name: string): UnderReader | null {
  const follower = followerOf(name);
  return follower === null ? null : readerOf(follower);
}

/** Tells of a chat or a log which day it is, and who is speaking; null for a document that is neither, by its name. */
export const createTalkReader = (name: string): UnderReader | null =>
  talks.has(extensionOf(name)) ? readerOf(followTalk()) : null;

function readerOf(follower: LineFollower): UnderReader {
  return (text) => {
    const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
    const lines = whole.split('\n').map((line) => line.slice(0, longestLine));
    const first = lines.find((line) => line.trim() !== '' && !closing.test(line)) ?? '';
    const over = follower.over(first);
    for (const line of lines) follower.pass(line);
    return over;
  };
}
