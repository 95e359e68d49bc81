import { compileGlob } from '../../base/glob.ts';
import type { Gold } from '../samples/read-samples.ts';
import {
  goldWords,
  indexOfWords,
  isRepetition,
  plainAnswer,
  replyHolds,
  statedAnswer,
  wordsOf,
} from './text-scores.ts';

const bullet = /^\s*(?:[-*•+]|\(?\d{1,3}[.):])\s+/;

const pair = /^\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;

/** Forms of items that are recognised anywhere in a reply. */
const forms: readonly { readonly whole: RegExp; readonly all: RegExp }[] = [
  { whole: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, all: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi },
  { whole: /^\d{4,}$/, all: /\b\d{4,}\b/g },
  { whole: /^[A-Z]{5}$/, all: /\b[A-Z]{5}\b/g },
  { whole: pair, all: /\(\s*\d+\s*,\s*\d+\s*\)/g },
];

/** Returns a key that equal items share. The order of a pair of numbers is ignored. */
function keyOf(item: string): string {
  const [, first, second] = pair.exec(item.trim()) ?? [];
  if (first === undefined) return goldWords(item).join(' ');
  return [Number(first), Number(second)].sort((a, b) => a - b).join(' ');
}

const unique = (items: readonly string[]): string[] => [...new Set(items.map(keyOf))];

const formOf = (golds: readonly string[]) => forms.find(({ whole }) => golds.every((gold) => whole.test(gold.trim())));

const withoutIntroduction = (line: string): string => line.slice(line.lastIndexOf(':') + 1);

function splitLine(line: string): string[] {
  const parts = withoutIntroduction(line.replace(/\s+/g, ' ')).split(/[,;]| (?:and|or|und) /i);
  return parts.filter((part) => wordsOf(part).length > 0);
}

/**
 * Returns the items of a reply. If one of `forms` fits all right items, the items are the texts of that form. Otherwise
 * they are the bullets. In a reply without bullets, they are the parts of lines between commas, semicolons and "and".
 */
function itemsOf(reply: string, golds: readonly string[]): readonly string[] {
  const text = isRepetition(reply) ? statedAnswer(reply) : plainAnswer(reply);
  const form = formOf(golds);
  if (form !== undefined) return unique(text.match(form.all) ?? []);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bullets = lines.filter((line) => bullet.test(line));
  if (bullets.length > 0) return unique(bullets.map((line) => line.replace(bullet, '')));
  return unique(lines.flatMap(splitLine));
}

/** Maximum number of additional words, such as a count, that an item may have besides the words of the right item. */
const freeWords = 4;

function matches(item: string, gold: string): boolean {
  const [said, right] = [item.split(' '), keyOf(gold).split(' ')];
  return indexOfWords(said, right) >= 0 && said.length <= right.length + freeWords;
}

/** Returns the share of the list that occurs anywhere in the reply. */
export function listRecall(reply: string, golds: readonly string[]): number {
  const text = plainAnswer(reply);
  const items = formOf(golds) === undefined ? null : itemsOf(reply, golds);
  const holds = (gold: string) => items?.includes(keyOf(gold)) || replyHolds(text, gold);
  return golds.filter(holds).length / golds.length;
}

/** Returns F1 of the reply's items against the list. Each item counts once. */
export function listF1(reply: string, golds: readonly string[]): number {
  const items = itemsOf(reply, golds);
  const left = [...items];
  const wanted = [...new Set(golds)];
  const found = wanted.filter((gold) => {
    const at = left.findIndex((item) => matches(item, gold));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  const all = items.length + wanted.length;
  return all === 0 ? 0 : (2 * found.length) / all;
}

const words: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
    ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
  ].map((word, number) => [word, number]),
);

const numberPattern =
  /(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,]*\d)|(?<![\w.])-?\d+(?:\.\d+)?(?!\d)|\b[a-z]+\b/gi;

const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';

const datesAndTimes = new RegExp(
  String.raw`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d{1,2} ${month}(?: \d{4})?\b|\b${month} \d{1,2}(?:,? \d{4})?\b`,
  'g',
);

/** Returns the numbers in a text: digits (`1,000` or `1000`) or words up to twenty. Ignores dates and times. */
function numbersIn(text: string): readonly number[] {
  return [...text.replace(datesAndTimes, ' ').matchAll(numberPattern)].flatMap(([found]) => {
    if (/^[a-z]/i.test(found)) return Object.hasOwn(words, found.toLowerCase()) ? words[found.toLowerCase()]! : [];
    return Number(found.replaceAll(',', ''));
  });
}

const withoutNumbering = (text: string): string => text.replace(/^\s*\(?\d{1,3}[.)]\s+/gm, '');

type NumberGold = Pick<Gold, 'tolerance' | 'decay'> & { readonly number: number };

/** Tolerance for rounding errors of sums. */
const slack = 1e-9;

function scoreOf(said: number, { number, tolerance, decay }: NumberGold): number {
  const off = Math.abs(said - number);
  if (off <= tolerance + slack) return 1;
  return decay === null ? 0 : decay ** off;
}

/**
 * Returns the numbers that a reply states. Tries three texts until one has numbers: the stated answer up to a colon,
 * the whole stated answer, the whole reply.
 */
function statedNumbers(reply: string): readonly number[] {
  const text = withoutNumbering(plainAnswer(reply));
  const stated = statedAnswer(text);
  const found = [stated.split(/:\s/, 1)[0]!, stated, text].map(numbersIn);
  return found.find((numbers) => numbers.length > 0) ?? [];
}

/** Returns the best score of the numbers that the reply states, 0–1. */
export const numberAmong = (reply: string, gold: NumberGold): number =>
  statedNumbers(reply).reduce((best, one) => Math.max(best, scoreOf(one, gold)), 0);

/** Scores the first number that the reply states, 0–1. More than three different numbers score 0. */
export function numberStated(reply: string, gold: NumberGold): number {
  const all = statedNumbers(reply);
  if (all.length === 0 || new Set(all).size > 3) return 0;
  return scoreOf(all[0]!, gold);
}

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

/** Whether the reply says anywhere that the text does not contain the answer. */
export const saysAbsent = (reply: string): boolean => saysSo(plainAnswer(reply));

/** Whether the stated answer says that the text does not contain the answer, in a reply of at most 60 words. */
export const statesAbsent = (reply: string): boolean =>
  saysSo(statedAnswer(reply)) && plainAnswer(reply).split(/\s+/).length <= 60;

const normalised = (path: string): string => path.replaceAll('\\', '/').replace(/(?<=^|\/)(?:\.\/)+/g, '');

/** Whether a path ends with the wanted name, or matches it as a glob at any depth. */
function isNamed(source: string, wanted: string): boolean {
  const path = normalised(source);
  return `/${path}`.endsWith(`/${normalised(wanted)}`) || compileGlob(`**/${wanted}`, { dot: true })(path);
}

/** Returns recall and F1 of the documents that have to be cited; both 0–1. */
export function sourceScores(cited: readonly string[], wanted: readonly string[]) {
  const distinct = [...new Set(cited)];
  const found = wanted.filter((one) => distinct.some((source) => isNamed(source, one))).length;
  const right = distinct.filter((source) => wanted.some((one) => isNamed(source, one))).length;
  const recall = found / wanted.length;
  const precision = distinct.length === 0 ? 0 : right / distinct.length;
  return { recall, f1: recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision) };
}

function fencedIn(reply: string): string | undefined {
  const lines = reply.split('\n');
  const isFence = (line: string) => line.trimStart().startsWith('```');
  const start = lines.findIndex(isFence);
  const length = lines.slice(start + 1).findIndex(isFence);
  return start < 0 || length < 0 ? undefined : lines.slice(start + 1, start + 1 + length).join('\n');
}

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

/** Returns the scalars in a value, with their paths. Treats an empty object or list as a scalar. */
function leaves(value: unknown, path = '$'): [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, JSON.stringify(value) ?? '']];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`));
}

/**
 * Scores the JSON in a reply. `lenient`: share of the values in `gold` that the reply has at their path. `strict`: 1 if
 * the JSON equals `gold`, else 0.
 */
export function jsonScores(reply: string, gold: unknown): { readonly lenient: number; readonly strict: number } {
  const said = jsonIn(reply);
  if (said === undefined) return { lenient: 0, strict: 0 };
  const [found, wanted] = [new Map(leaves(said)), leaves(gold)];
  const right = wanted.filter(([path, value]) => found.get(path) === value).length;
  return { lenient: right / wanted.length, strict: Number(right === wanted.length && found.size === wanted.length) };
}
