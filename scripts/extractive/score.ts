/** Checks whether an answer holds the target of a label, and whether the target comes first. */
import type { Label } from './labels.ts';
import { comparable } from './texts.ts';

export interface Answer {
  /** With citation marks such as `[1]`. */
  readonly text: string;
  /** The quoted words by the number of their mark. */
  readonly quotes: ReadonlyMap<number, string>;
}

export interface Score {
  readonly isIn: boolean;
  readonly isFirst: boolean;
}

const marksOf = (line: string): number[] =>
  (line.match(/ (?:\[\d+\])+/g) ?? []).flatMap((marks) => marks.match(/\d+/g)!.map(Number));
const quotesOf = ({ quotes }: Answer, line: string): string[] =>
  marksOf(line).map((number) => quotes.get(number) ?? '');
const linesOf = ({ text }: Answer): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Returns the answer up to its first cited line, or all of it, with the quotes cited there. */
function firstItem(answer: Answer): string {
  const lines = linesOf(answer);
  const cited = lines.findIndex((line) => marksOf(line).length > 0);
  const item = lines.slice(0, cited === -1 ? lines.length : cited + 1);
  return comparable([...item, ...quotesOf(answer, item.at(-1) ?? '')].join('\n'));
}

const everything = (answer: Answer): string => comparable([answer.text, ...answer.quotes.values()].join('\n'));

/** Returns the lines that are not quotes: the answer's own words. */
function ownWords(answer: Answer): string[] {
  const isQuote = (line: string): boolean =>
    quotesOf(answer, line).some((quote) => comparable(quote).includes(comparable(line)));
  return linesOf(answer)
    .filter((line) => !isQuote(line))
    .map((line) => line.replace(/ (?:\[\d+\])+/g, ''));
}

function scoreLines({ all, any, under }: Label, answer: Answer): Score {
  const whole = everything(answer);
  const first = firstItem(answer);
  const holds = (text: string) => (excerpt: string) => text.includes(comparable(excerpt));
  const isIn = all.length + any.length > 0 && all.every(holds(whole)) && (any.length === 0 || any.some(holds(whole)));
  return { isIn, isFirst: isIn && [...all, ...any, ...(under === undefined ? [] : [under])].some(holds(first)) };
}

/** Matches numbers that are not parts of dates, times, versions or names. */
const numbersOf = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.:/-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w:/-]|[.,]\d)/g)].map(([found]) =>
    found.replaceAll(',', ''),
  );

/** Whether the digits are the number. A fractional number may be rounded to one decimal or more. */
function isNumber(digits: string, number: number): boolean {
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (decimals === 0) return Number(digits) === number;
  return Math.abs(Number(digits) - number) <= 0.5 * 10 ** -decimals + 1e-9;
}

function scoreNumber(number: number, answer: Answer): Score {
  const stated = ownWords(answer).flatMap(numbersOf);
  const isIn = stated.some((digits) => isNumber(digits, number));
  return { isIn, isFirst: isIn && isNumber(stated[0]!, number) };
}

function scoreValue(value: string, answer: Answer): Score {
  const own = ownWords(answer);
  const word = new RegExp(`(?<!\\w)${value.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`, 'i');
  return { isIn: own.some((line) => word.test(line)), isFirst: word.test(own[0] ?? '') };
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const amount = String.raw`\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\b`;

/** Returns the durations in a text, in seconds. Adjacent amounts with units are one duration. */
function durationsOf(text: string): number[] {
  const runs = [...text.matchAll(new RegExp(`${amount}(?:(?:,|\\s|and)*${amount})*`, 'gi'))];
  return runs.map(([run]) => {
    const parts = [...run.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|[smhd])/gi)];
    return parts.reduce(
      (sum, [, n, unit]) => sum + Number(n) * unitSeconds[unit === 'milli' ? 'ms' : unit!.toLowerCase()]!,
      0,
    );
  });
}

function scoreDuration({ seconds, within }: Label, answer: Answer): Score {
  const stated = ownWords(answer).flatMap(durationsOf);
  const isRight = (duration: number): boolean => Math.abs(duration - seconds!) <= within;
  return { isIn: stated.some(isRight), isFirst: stated.slice(0, 1).some(isRight) };
}

/**
 * Scores an answer. Excerpts are searched for in the answer and its quotes. Numbers, names and durations are searched
 * for in the answer's own words, that is, in lines that do more than quote. "First" means the first quoted item,
 * number, line or duration. If the text does not answer the question, an answer without a citation is right.
 */
export function score(label: Label, answer: Answer): Score {
  const { number, value, seconds, none } = label;
  if (none === true) return { isIn: answer.quotes.size === 0, isFirst: answer.quotes.size === 0 };
  const scores = [scoreLines(label, answer)];
  if (number !== undefined) scores.push(scoreNumber(number, answer));
  if (value !== undefined) scores.push(scoreValue(value, answer));
  if (seconds !== undefined) scores.push(scoreDuration(label, answer));
  return { isIn: scores.some(({ isIn }) => isIn), isFirst: scores.some(({ isFirst }) => isFirst) };
}
