import { findLoosely, findQuote } from '../quote.ts';
import { readQuantities } from '../support/numbers.ts';

const monthNames = 'january february march april may june july august september october november december'.split(' ');

/** The forms of a date. */
function daysAs(iso: string): readonly RegExp[] {
  const [year, month, day] = iso.split('-').map(Number);
  const name = monthNames[month! - 1] ?? '-';
  const written = `(?:${name}|${name.slice(0, 3)}\\.?)`;
  return [
    new RegExp(`(?<!\\d)${iso}(?!\\d)`),
    new RegExp(`(?<!\\d)0?${day}(?:st|nd|rd|th)?(?: of)? ${written},? ${year}`, 'i'),
    new RegExp(`${written} 0?${day}(?:st|nd|rd|th)?,? ${year}`, 'i'),
    new RegExp(`(?<!\\d)0?${day}[./]0?${month}[./]${year}|(?<!\\d)0?${month}/0?${day}/${year}`),
  ];
}

const day = /^\d{4}-\d\d-\d\d$/;
const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function numberMatcher(value: number): (text: string) => boolean {
  return (text) =>
    readQuantities(text).some(
      (quantity) => quantity.value === value || (quantity.unit === '%' && quantity.value === value * 100),
    ) || [...text.matchAll(/-?\d+(?:\.\d+)?/g)].some(([found]) => Number(found) === value);
}

function textMatcher(value: string): (text: string) => boolean {
  const words = plain(value);
  return (text) =>
    (words !== '' && ` ${plain(text)} `.includes(` ${words} `)) ||
    findQuote(text, value) !== null ||
    findLoosely(text, value) !== null;
}

/**
 * Creates a test for whether a sentence has a value: a number or a date in any form, words verbatim.
 */
export function createMatcher(value: string | number): (text: string) => boolean {
  if (typeof value === 'number') return numberMatcher(value);
  if (day.test(value)) {
    const ways = daysAs(value);
    return (text) => ways.some((way) => way.test(text));
  }
  const stamp = time.exec(value);
  if (stamp) return (text) => text.includes(stamp[1]!) && text.includes(stamp[2]!);
  return textMatcher(value);
}
