import { monthOf, type Period, periodOf, quarterOf, readDay } from '../cells/days.ts';
import type { Decimal } from '../cells/decimal.ts';
import { folded, stemsOf } from '../cells/names.ts';
import { readAmount } from '../cells/numbers.ts';
import { isUnit } from '../cells/units.ts';
import type { Comparison } from '../query.ts';

/** A word, a number or a sign of a question. */
export interface QuestionToken {
  readonly text: string;
  readonly word: string;
  readonly stems: readonly string[];
  readonly isQuoted: boolean;
}

const pieces =
  /"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`|(?<=^|\s)'([^'\n]+)'(?=$|[\s?.,;:!])|(>=|<=|==|!=|[=<>])|([^\s=<>"“”`]+)/g;

function toToken(text: string, isQuoted: boolean): QuestionToken {
  return { text, word: folded(text), stems: stemsOf(text), isQuoted };
}

/** Splits a question into words without surrounding punctuation. */
export function readTokens(question: string): readonly QuestionToken[] {
  return [...question.matchAll(pieces)].flatMap((match) => {
    const quoted = match.slice(1, 5).find((one) => one !== undefined);
    if (quoted !== undefined) return [toToken(quoted, true)];
    const bare = (match[5] ?? match[6]!).replace(/^[([{,.;:!?]+|[)\]},.;:!?]+$/g, '').replace(/['’]s?$/i, '');
    return bare === '' ? [] : [toToken(bare, false)];
  });
}

/** A limit that a question sets: a comparison with a number, or a time. */
export type Limit =
  | { readonly kind: 'number'; readonly is: Comparison; readonly than: Decimal; readonly unit: string }
  | { readonly kind: 'time'; readonly within: Partial<Period>; readonly says: string; readonly year: number | null }
  | { readonly kind: 'month'; readonly month: number; readonly says: string };

interface At<Value> {
  readonly value: Value;
  /** Index of the token after it. */
  readonly end: number;
}

const comparisons: readonly (readonly [string, Comparison])[] = [
  ['no less than', '>='],
  ['no more than', '<='],
  ['more than', '>'],
  ['greater than', '>'],
  ['higher than', '>'],
  ['larger than', '>'],
  ['bigger than', '>'],
  ['longer than', '>'],
  ['less than', '<'],
  ['fewer than', '<'],
  ['lower than', '<'],
  ['smaller than', '<'],
  ['shorter than', '<'],
  ['at least', '>='],
  ['at most', '<='],
  ['up to', '<='],
  ['equal to', '='],
  ['over', '>'],
  ['above', '>'],
  ['exceeding', '>'],
  ['>', '>'],
  ['>=', '>='],
  ['under', '<'],
  ['below', '<'],
  ['<', '<'],
  ['<=', '<='],
  ['equals', '='],
  ['exactly', '='],
  ['=', '='],
  ['==', '='],
];

const timeWords: Readonly<Record<string, (period: Period) => Partial<Period>>> = {
  after: ({ endMs }) => ({ startMs: endMs }),
  since: ({ startMs }) => ({ startMs }),
  from: ({ startMs }) => ({ startMs }),
  before: ({ startMs }) => ({ endMs: startMs }),
  until: ({ endMs }) => ({ endMs }),
  till: ({ endMs }) => ({ endMs }),
  through: ({ endMs }) => ({ endMs }),
  in: (period) => period,
  on: (period) => period,
  during: (period) => period,
  for: (period) => period,
  of: (period) => period,
};

const textOf = (tokens: readonly QuestionToken[], start: number, end: number): string =>
  tokens
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ');

function yearAt(tokens: readonly QuestionToken[], at: number): number | null {
  const word = tokens[at]?.word ?? '';
  return /^(?:19|20|21)\d\d$/.test(word) ? Number(word) : null;
}

const dayAt = (tokens: readonly QuestionToken[], at: number): number | null =>
  Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(tokens[at]?.word ?? '')?.[1] ?? Number.NaN) || null;

const asDay = (text: string, end: number): At<Period> | null => {
  const period = readDay(text, null);
  return period && { value: period, end };
};

/** Reads `March 2024`, `March 1, 2024` and `1 March 2024`. */
function namedPeriod(tokens: readonly QuestionToken[], at: number): At<Period> | null {
  const [month, next] = [monthOf(tokens[at]?.word ?? ''), monthOf(tokens[at + 1]?.word ?? '')];
  if (month !== null) {
    const year = yearAt(tokens, at + 1);
    if (year !== null) return { value: periodOf(year, month), end: at + 2 };
    const isDay = dayAt(tokens, at + 1) !== null && yearAt(tokens, at + 2) !== null;
    return isDay ? asDay(textOf(tokens, at, at + 3), at + 3) : null;
  }
  const isDay = next !== null && dayAt(tokens, at) !== null && yearAt(tokens, at + 2) !== null;
  return isDay ? asDay(textOf(tokens, at, at + 3), at + 3) : null;
}

function periodAt(tokens: readonly QuestionToken[], at: number): At<Period> | null {
  const token = tokens[at];
  if (token === undefined || token.isQuoted) return null;
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(token.word) ?? [];
  if (year !== undefined && Number(month) >= 1 && Number(month) <= 12)
    return { value: periodOf(Number(year), Number(month)), end: at + 1 };
  const withTime = at + 2 <= tokens.length ? asDay(textOf(tokens, at, at + 2), at + 2) : null;
  const single = withTime ?? asDay(token.text, at + 1) ?? namedPeriod(tokens, at);
  if (single !== null) return single;
  const [, quarter] = /^q([1-4])$/.exec(token.word) ?? [];
  const quarterYear = yearAt(tokens, at + 1);
  if (quarter !== undefined && quarterYear !== null)
    return { value: quarterOf(quarterYear, Number(quarter)), end: at + 2 };
  const plain = yearAt(tokens, at);
  return plain === null ? null : { value: periodOf(plain, null), end: at + 1 };
}

/** Reads `between A and B` and `from A to B`. */
function rangeAt<Value>(
  tokens: readonly QuestionToken[],
  at: number,
  read: (tokens: readonly QuestionToken[], at: number) => At<Value> | null,
): At<readonly [Value, Value]> | null {
  const closer = { between: ['and'], from: ['to', 'until', 'till', 'through'] }[tokens[at]?.word ?? ''];
  const first = closer && read(tokens, at + 1);
  if (!first || !closer.includes(tokens[first.end]?.word ?? '')) return null;
  const last = read(tokens, first.end + 1);
  return last && { value: [first.value, last.value], end: last.end };
}

function timeLimitAt(tokens: readonly QuestionToken[], at: number): At<readonly Limit[]> | null {
  const range = rangeAt(tokens, at, periodAt);
  if (range !== null) {
    const within = { startMs: range.value[0].startMs, endMs: range.value[1].endMs };
    return { value: [{ kind: 'time', within, says: textOf(tokens, at, range.end), year: null }], end: range.end };
  }
  const word = tokens[at]?.word ?? '';
  const bound = Object.hasOwn(timeWords, word) ? timeWords[word]! : null;
  const start = bound === null ? at : at + 1;
  const period = periodAt(tokens, start);
  const says = textOf(tokens, at, period?.end ?? start);
  if (period !== null) {
    if (bound === null && period.end === start + 1 && yearAt(tokens, start) !== null) return null;
    const year = bound !== null && period.end === start + 1 ? yearAt(tokens, start) : null;
    return {
      value: [{ kind: 'time', within: (bound ?? timeWords['in']!)(period.value), says, year }],
      end: period.end,
    };
  }
  const month = word === 'in' || word === 'during' ? monthOf(tokens[start]?.word ?? '') : null;
  if (month === null) return null;
  return { value: [{ kind: 'month', month, says: textOf(tokens, at, start + 1) }], end: start + 1 };
}

function numberAt(tokens: readonly QuestionToken[], at: number): At<{ value: Decimal; unit: string }> | null {
  const token = tokens[at];
  const amount = token === undefined || token.isQuoted ? null : readAmount(token.text, '.');
  if (amount === null) return null;
  const unit = tokens[at + 1]?.word ?? '';
  return amount.unit === '' && isUnit(unit)
    ? { value: { ...amount, unit }, end: at + 2 }
    : { value: amount, end: at + 1 };
}

function numberLimitAt(tokens: readonly QuestionToken[], at: number): At<readonly Limit[]> | null {
  const range = rangeAt(tokens, at, numberAt);
  if (range !== null) {
    const [from, to] = range.value;
    const limits = [['>=', from] as const, ['<=', to] as const].map(
      ([is, { value: than, unit }]): Limit => ({ kind: 'number', is, than, unit }),
    );
    return { value: limits, end: range.end };
  }
  for (const [words, is] of comparisons) {
    const length = words.split(' ').length;
    if (
      tokens
        .slice(at, at + length)
        .map(({ word }) => word)
        .join(' ') !== words
    )
      continue;
    const number = numberAt(tokens, at + length);
    if (number === null) return null;
    return { value: [{ kind: 'number', is, than: number.value.value, unit: number.value.unit }], end: number.end };
  }
  return null;
}

/** Reads the limits that begin at a token; null where none does. */
export function limitsAt(tokens: readonly QuestionToken[], at: number): At<readonly Limit[]> | null {
  if (tokens[at]!.isQuoted) return null;
  return timeLimitAt(tokens, at) ?? numberLimitAt(tokens, at);
}
