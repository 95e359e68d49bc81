import type { Rule } from './rule.ts';

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** A month beside a day or a year: `May` alone may be a word. */
const dated = new RegExp(String.raw`\b(${names.join('|')})\b`, 'g');

/** The months that a text names, 0–11, in words or as `2026-05-01`. */
function monthsOf(text: string): ReadonlySet<number> {
  const short = [...text.matchAll(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g)];
  const numeric = [...text.matchAll(/\b\d{4}[-/](\d{2})[-/]\d{2}/g)];
  return new Set([
    ...short.map((found) => names.findIndex((name) => name.startsWith(found[1]!))),
    ...numeric.map((found) => Number(found[1]) - 1),
  ]);
}

/** Every month of the claim has to stand in the evidence. */
export const monthsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = [...text.matchAll(dated)].map((found) => found[1]!);
  const found = monthsOf(sentences.map((sentence) => sentence.text).join('\n'));
  const missing = stated.find((name) => !found.has(names.indexOf(name as (typeof names)[number])));
  if (missing === undefined) return null;
  const other = [...monthsOf(near.map((sentence) => sentence.text).join('\n'))].find(
    (month) => !stated.includes(names[month]!),
  );
  return other === undefined
    ? { verdict: 'unsupported', reason: `${missing} does not stand in the passage` }
    : { verdict: 'contradicted', reason: `the passage says ${names[other]}, the answer ${missing}` };
};
