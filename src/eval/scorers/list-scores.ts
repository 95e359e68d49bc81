/** Scores lists, 0–1: recall ignores surplus items, F1 does not. */
import { goldWords, indexOfWords, isRepetition, plainAnswer, replyHolds, statedAnswer, wordsOf } from './words.ts';

const bullet = /^\s*(?:[-*•+]|\(?\d{1,3}[.):])\s+/;

const pair = /^\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;

/** Forms of items that are recognised anywhere in a reply. */
const forms: readonly { readonly whole: RegExp; readonly all: RegExp }[] = [
  { whole: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, all: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi },
  { whole: /^\d{4,}$/, all: /\b\d{4,}\b/g },
  { whole: /^[A-Z]{5}$/, all: /\b[A-Z]{5}\b/g },
  { whole: pair, all: /\(\s*\d+\s*,\s*\d+\s*\)/g },
];

/** Normalises an item for comparison; the order of a pair of numbers is ignored. */
function keyOf(item: string): string {
  const [, first, second] = pair.exec(item.trim()) ?? [];
  if (first === undefined) return goldWords(item).join(' ');
  return [Number(first), Number(second)].sort((a, b) => a - b).join(' ');
}

const unique = (items: readonly string[]): string[] => [...new Set(items.map(keyOf))];

const formOf = (golds: readonly string[]) => forms.find(({ whole }) => golds.every((gold) => whole.test(gold.trim())));

/** Returns the text after the last colon of a line that introduces a list. */
const withoutIntroduction = (line: string): string => line.slice(line.lastIndexOf(':') + 1);

function splitLine(line: string): string[] {
  const parts = withoutIntroduction(line.replace(/\s+/g, ' ')).split(/[,;]| (?:and|or|und) /i);
  return parts.filter((part) => wordsOf(part).length > 0);
}

/**
 * Returns the items of a list in a reply: its bullets, or the parts of its lines between commas. For a reply that
 * repeats the text, those of its labelled answer.
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

/** Additional words of an item, at most, such as how often it occurs. */
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

/** Returns F1 of the reply's items and the list's, each counted once. */
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
