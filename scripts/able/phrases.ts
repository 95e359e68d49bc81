/**
 * Sentences with alternatives and slots: `[a|b] {slot}`. A phrase writes a sentence. As a regular expression, the same
 * phrase reads the sentence, so that targets can be checked against the written text.
 */
import type { Random } from '../../src/eval/make/task.ts';

/** Values of the slots of a phrase. */
export type Slots = Readonly<Record<string, string | number>>;

const innermost = /\[([^[\]]*)\]/;

/** Writes a phrase: chooses one alternative in each place, then fills the slots. */
export function write(phrase: string, random: Random, slots: Slots = {}): string {
  let text = phrase;
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text))
    text = text.replace(found[0], () => random.pick(found[1]!.split('|')));
  return fill(text, slots);
}

/** Fills the slots of a text. */
export const fill = (text: string, slots: Slots): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(slots[name] ?? whole));

/** Matches the value of a slot, as short as possible: words without signs that end a sentence. */
const value = "[\\p{L}\\d][\\p{L}\\d' -]*?";

/** Returns the pattern of every sentence of a phrase. Its groups are the first occurrences of the slots. */
function patternOf(phrase: string): RegExp {
  const named = new Set<string>();
  const slot = (name: string): string => {
    if (named.has(name)) return value;
    named.add(name);
    return `(?<${name}>${value})`;
  };
  const parts = phrase.split(/(\{\w+\}|[[\]|])/).map((part) => {
    if (part === '[') return '(?:';
    if (part === ']') return ')';
    if (part === '|') return '|';
    if (part.startsWith('{')) return slot(part.slice(1, -1));
    return part.replace(/[.*+?^${}()\\/]/g, '\\$&');
  });
  return new RegExp(parts.join(''), 'gu');
}

/** Finds all sentences of some phrases in a text, and returns the slots of each. */
export function readAll(phrases: readonly string[], text: string): readonly Readonly<Record<string, string>>[] {
  return phrases.flatMap((phrase) => [...text.matchAll(patternOf(phrase))].map(({ groups }) => groups ?? {}));
}
