/**
 * In the final answer, `[1]` stands for a checked citation. A bare mark is a `[1]`, `[1, 2]`, `[1-3]` or `[1][2]` that
 * the model wrote itself. After words (`it failed [7]`), a bare mark is removed. If the model saw the same word and
 * mark in a text (`worker [3] died`), the mark gets round brackets instead. At the beginning of a line, a link
 * definition stays, and every other bare mark gets round brackets. Elsewhere, bare marks stay, as in `list[1]`,
 * `x = [1]`, code and links.
 */

const oneMark = String.raw`\[\s*[1-9]\d?(?:\s*[,;–-]\s*[1-9]\d?)*\s*\]`;
const notLinkOrPattern = String.raw`(?!\(|\[(?!P?\d)|[\w+{\\])`;
const bareMarks = new RegExp(
  `(?<![ \\t])(?:(?<=\\])[ \\t]*[,;])?[ \\t]*${oneMark}(?:[ \\t]*[,;]?[ \\t]*${oneMark})*${notLinkOrPattern}`,
  'g',
);

const wordsBefore: readonly RegExp[] = [
  /(?:[\p{L}\p{N}.!?;,…。！？、，"”’»'`%)\]]|\S[*_]{1,3})[ \t]+$/u,
  /(?:(?<!\?)\.|[!?…。！？"”’»\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])$/u,
  /\[P\d[^[\]]*\][ \t]*[,;]?[ \t]*$/,
];

const beginsLine = (before: string): boolean => /^[ \t]*(?:[-*•>][ \t]+)?$/.test(before);
const isDefinition = (after: string): boolean => /^:[ \t]*(?:<|[#./]|\w+:)/.test(after);

const inRoundBrackets = (mark: string): string => mark.replaceAll('[', '(').replaceAll(']', ')');

function isCopied(before: string, mark: string, given: readonly string[]): boolean {
  const word = /[\p{L}\p{N}]*[^\p{L}\p{N}\s]*[ \t]*$/u.exec(before)![0];
  return given.some((text) => text.includes(word + mark));
}

/** Returns the replacement of a mark; '' removes the mark. */
function rewrite(mark: string, before: string, after: string, given: readonly string[]): string {
  if (beginsLine(before)) return isDefinition(after) ? mark : inRoundBrackets(mark);
  const near = before.slice(-60);
  if (!wordsBefore.some((pattern) => pattern.test(near))) return mark;
  return isCopied(near, mark, given) ? inRoundBrackets(mark) : '';
}

const inlineCode = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g;

function rewriteLine(line: string, given: readonly string[], dropped: Set<string>): string {
  const code = [...line.matchAll(inlineCode)];
  return line.replace(bareMarks, (found: string, at: number) => {
    if (code.some(({ 0: { length }, index }) => at >= index && at < index + length)) return found;
    const mark = found.slice(found.indexOf('['));
    const joint = found.slice(0, -mark.length);
    const after = line.slice(at + found.length);
    const written = rewrite(mark, line.slice(0, at) + joint, after, given);
    if (written !== '') return joint + written;
    dropped.add(mark);
    return /^[[\p{L}]/u.test(after) ? ' ' : '';
  });
}

function mapProse(text: string, rewriteProse: (line: string) => string): string {
  let open: string | null = null;
  const lines = text.split('\n').map((line) => {
    const sign = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null;
    const isProse = open === null && sign === null;
    if (open === null) open = sign;
    else if (sign?.startsWith(open)) open = null;
    return isProse ? rewriteProse(line) : line;
  });
  return lines.join('\n');
}

/** Removes or rewrites bare marks. Describes each removed mark. @param given the texts that the model saw. */
export function dropBareMarks(answer: string, given: readonly string[]) {
  const dropped = new Set<string>();
  const rewritten = mapProse(answer, (line) => rewriteLine(line, given, dropped));
  const why = 'was removed, because it names no passage; a number in the answer stands for a checked citation';
  return { answer: rewritten, problems: [...dropped].map((mark) => `the mark ${mark} of the reply ${why}`) };
}
