import { type Decimal, readDecimal } from './decimal.ts';

/** A number in a cell, with its currency, unit or percent sign as written; '' for none. */
export interface Amount {
  readonly value: Decimal;
  readonly unit: string;
}

/** The decimal separator. */
export type DecimalMark = '.' | ',';

const digits = String.raw`(?:\d{1,3}(?<group>[.,' \u00a0\u202f])\d{3}(?:\k<group>\d{3})*|\d+)?(?:[.,]\d+)?(?:[eE][+-]?\d{1,3})?`;
const currency = String.raw`[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN)\b|US\$`;
const suffix = String.raw`${currency}|%|‰|°?[A-Za-zµμ]{1,5}(?:\/[A-Za-z]{1,4})?`;
const amount = new RegExp(
  `^(?<open>\\()?(?<sign>[-+\\u2212]?)(?<before>${currency})?\\s?(?<sign2>[-\\u2212]?)(?<number>${digits})\\s?(?<after>${suffix})?(?<close>\\))?$`,
  'u',
);
const plain = /^-?\d+(?:\.\d+)?$/;
/** Characters of a number, at most; a longer cell is text. */
const mostCharacters = 60;

/** Splits a cell into its sign, number and unit as written; null where it is no number. */
function partsOf(text: string) {
  if (text.length > mostCharacters || !/\d/.test(text)) return null;
  const parts = amount.exec(text)?.groups;
  if (parts === undefined || !/^[\d.,]/.test(parts['number']!)) return null;
  if ((parts['open'] === undefined) !== (parts['close'] === undefined)) return null;
  return parts;
}

/**
 * Returns the decimal separator that a cell shows, as in `1.5` or `1,234.50`; undefined where it is open, as in
 * `1,234`.
 */
export function tellMark(text: string): DecimalMark | undefined {
  const number = partsOf(text)?.['number'];
  if (number === undefined) return undefined;
  const [, last, rest] = /([.,])(\d+)(?:[eE][+-]?\d+)?$/.exec(number) ?? [];
  if (last === undefined) return undefined;
  const isOnly = number.indexOf(last) === number.lastIndexOf(last);
  const hasOther = number.includes(last === '.' ? ',' : '.');
  const isDecimals = isOnly && (hasOther || rest!.length !== 3 || /^0[.,]/.test(number));
  return isDecimals ? (last as DecimalMark) : undefined;
}

/** Reads a cell as a number: `1,234.50`, `$5`, `(3.20)`, `12 %`, `350ms`; null for anything else. */
export function readAmount(text: string, mark: DecimalMark): Amount | null {
  if (plain.test(text) && (mark === '.' || !text.includes('.')) && text.length <= mostCharacters)
    return { value: readDecimal(text)!, unit: '' };
  const parts = partsOf(text);
  if (parts === null) return null;
  const { open, sign, before, sign2, number, after } = parts;
  const thousands = mark === '.' ? /[,' \u00a0\u202f]/g : /[.' \u00a0\u202f]/g;
  const bare = number!.replace(thousands, '').replace(',', '.');
  if (!hasWholeGroups(number!, mark)) return null;
  const isNegative = open !== undefined || /[-\u2212]/.test(`${sign}${sign2}`);
  const value = readDecimal(`${isNegative ? '-' : ''}${bare}`);
  return value && { value, unit: (before ?? after ?? '').replace('μ', 'µ') };
}

/** Whether the thousands separators are between groups of three digits. */
function hasWholeGroups(number: string, mark: DecimalMark): boolean {
  const whole = number.split(mark)[0]!;
  if (number.split(mark).length > 2) return false;
  return /^\d*$/.test(whole) || /^\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+$/.test(whole) || /^\d+[eE]/.test(whole);
}
