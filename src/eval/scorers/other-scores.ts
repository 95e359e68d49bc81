import { plainAnswer, statedAnswer } from './words.ts';

/** Recognises replies that say that the text does not contain the answer. */

const silent = [
  /\bnot found\b/i,
  /\b(?:does|do|did) ?(?:not|n[’']t) (?:\w+ )?(?:say|state|mention|hold|contain|include|specify|provide|give|tell|name|list|describe|answer|address|cover|discuss|indicate)\b/i,
  /\b(?:is|are|was|were)(?: not|n[’']t) (?:\w+ )?(?:stated|mentioned|given|specified|provided|said|told|found|included|listed|available|answered|in the (?:text|passages?|documents?))\b/i,
  /\bno (?:\w+ )?(?:information|mention|answer|evidence|details?|data|passages?|statement)\b/i,
  /\b(?:can ?not|can[’']t|unable to|impossible to) (?:be )?(?:\w+ )?(?:answer|answered|determine|determined|find|found|tell|told|say|said)\b/i,
  /\b(?:unanswerable|unknown|insufficient information|not enough information|n\/a)\b/i,
  /\bnothing in the (?:text|passages?|documents?)\b/i,
  /\bi (?:do not|don[’']t) know\b/i,
];

const saysSo = (text: string): boolean => silent.some((pattern) => pattern.test(text));

/** Whether the reply says anywhere that the text does not contain the answer; false for an empty reply. */
export const saysAbsent = (reply: string): boolean => saysSo(plainAnswer(reply));

/** Whether it says so first and then gives no answer: at most 60 words in total. */
export const statesAbsent = (reply: string): boolean =>
  saysSo(statedAnswer(reply)) && plainAnswer(reply).split(/\s+/).length <= 60;

/** Scores whether an answer cites the right documents. */

const parts = (path: string): readonly string[] =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '.');

/** Whether a path ends with the named document. */
function isNamed(source: string, wanted: string): boolean {
  const [has, ends] = [parts(source), parts(wanted)];
  return ends.length <= has.length && ends.every((part, at) => part === has[has.length - ends.length + at]);
}

/** Returns recall of the documents that have to be cited, and F1; both 0–1. */
export function sourceScores(cited: readonly string[], wanted: readonly string[]) {
  const distinct = [...new Set(cited)];
  const found = wanted.filter((one) => distinct.some((source) => isNamed(source, one))).length;
  const right = distinct.filter((source) => wanted.some((one) => isNamed(source, one))).length;
  const recall = found / wanted.length;
  const precision = distinct.length === 0 ? 0 : right / distinct.length;
  return { recall, f1: recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision) };
}

/** Scores JSON in replies. */

/** Returns the first fenced block of a reply; undefined where there is none. */
function fencedIn(reply: string): string | undefined {
  const lines = reply.split('\n');
  const isFence = (line: string) => line.trimStart().startsWith('```');
  const start = lines.findIndex(isFence);
  const length = lines.slice(start + 1).findIndex(isFence);
  return start < 0 || length < 0 ? undefined : lines.slice(start + 1, start + 1 + length).join('\n');
}

/** Reads the JSON value of a reply: of its fenced block, or from its first bracket to its last; undefined: none. */
function jsonIn(reply: string): unknown {
  const fenced = fencedIn(reply);
  const start = reply.search(/[[{]/);
  const end = Math.max(reply.lastIndexOf('}'), reply.lastIndexOf(']'));
  const candidates = [fenced, reply.trim(), start >= 0 && end > start ? reply.slice(start, end + 1) : undefined];
  for (const text of candidates) {
    try {
      if (text !== undefined) return JSON.parse(text);
    } catch {}
  }
  return undefined;
}

/** Returns every scalar value with its path; an empty object or list counts as a scalar. */
function leaves(value: unknown, path = '$'): [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, JSON.stringify(value) ?? '']];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`));
}

/** Scores the share of values that the reply has at the same path, and whether the whole value is equal; both 0–1. */
export function jsonScores(reply: string, gold: unknown): { readonly lenient: number; readonly strict: number } {
  const said = jsonIn(reply);
  if (said === undefined) return { lenient: 0, strict: 0 };
  const [found, wanted] = [new Map(leaves(said)), leaves(gold)];
  const right = wanted.filter(([path, value]) => found.get(path) === value).length;
  return { lenient: right / wanted.length, strict: Number(right === wanted.length && found.size === wanted.length) };
}
