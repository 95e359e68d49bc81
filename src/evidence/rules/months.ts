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

/** The name of a month. */
const dated = new RegExp(String.raw`\b(${names.join('|')})\b`, 'g');

/** Returns the months that a text names, 0–11, in words or as `2026-05-01` or `2026.05.01`. */
function monthsOf(text: string): ReadonlySet<number> {
  const short = [...text.matchAll(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g)];
  const numeric = [...text.matchAll(/\b\d{4}[-./](\d{2})[-./]\d{2}/g)];
  return new Set([
    ...short.map((found) => names.findIndex((name) => name.startsWith(found[1]!))),
    ...numeric.map((found) => Number(found[1]) - 1),
  ]);
}

const monthWord = `(?<month>${names.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?`;
const days: readonly RegExp[] = [
  new RegExp(`(?<![A-Z])${monthWord} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d:.]\\d|\\d)`, 'g'),
  new RegExp(`(?<![\\d:.])(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthWord}\\b`, 'g'),
  /(?<!\d)\d{4}[-./](?<number>\d\d)[-./](?<day>\d\d)(?!\d)/g,
];

/** Returns the month, 0–11, of a match that has its name or its number. */
const monthAt = (month: string | undefined, number: string | undefined): number =>
  month === undefined ? Number(number) - 1 : names.findIndex((name) => name.startsWith(month.slice(0, 3)));

/** Returns the days that a text names, each as a month, 0–11, and a day. */
function daysIn(text: string): [month: number, day: number][] {
  return days.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }): [number, number] => {
      const { month, number, day } = groups!;
      return [monthAt(month, number), Number(day)];
    }),
  );
}

const monthYears: readonly RegExp[] = [
  new RegExp(`(?<![A-Z])${monthWord}(?: \\d{1,2}(?:st|nd|rd|th)?)?,? (?<year>\\d{4})(?!\\d)`, 'g'),
  /(?<!\d)(?<year>\d{4})[-./](?<number>\d\d)[-./]\d\d(?!\d)/g,
];

/** Returns the months that a text names with their years, each as a month, 0–11, and a year. */
function monthYearsIn(text: string): [month: number, year: number][] {
  return monthYears.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }): [number, number] => {
      const { month, number, year } = groups!;
      return [monthAt(month, number), Number(year)];
    }),
  );
}

/** Finds a month and its year where the evidence has that month with other years only. */
export const monthYearsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = monthYearsIn(text);
  if (stated.length === 0) return null;
  const found = sentences.flatMap((sentence) => monthYearsIn(sentence.text));
  const close = near.flatMap((sentence) => monthYearsIn(sentence.text));
  for (const [month, year] of stated) {
    if (found.some(([other, same]) => other === month && same === year)) continue;
    const rival = close.find(([other]) => other === month);
    if (rival === undefined) continue;
    const reason = `the passage says ${names[month]} ${rival[1]}, the answer ${names[month]} ${year}`;
    return { verdict: 'contradicted', reason };
  }
  return null;
};

/** Returns the ranges of a claim's text that name days which the evidence names, too. */
export function datesThatStand(text: string, evidence: string): { start: number; end: number }[] {
  const found = daysIn(evidence);
  return days.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [date] = daysIn(match[0]);
      const stands = date && found.some(([month, day]) => month === date[0] && day === date[1]);
      return stands ? [{ start: match.index, end: match.index + match[0].length }] : [];
    }),
  );
}

/** Finds a day that the evidence does not name while it names another day of the month. */
export const daysStand: Rule = ({ text, near }, { sentences }) => {
  const stated = daysIn(text);
  if (stated.length === 0) return null;
  const found = daysIn(sentences.map((sentence) => sentence.text).join('\n'));
  const close = daysIn(near.map((sentence) => sentence.text).join('\n'));
  for (const [month, day] of stated) {
    if (found.some(([other, same]) => other === month && same === day)) continue;
    const rival = close.find(([other]) => other === month);
    if (rival)
      return {
        verdict: 'contradicted',
        reason: `the passage says ${names[month]} ${rival[1]}, the answer ${names[month]} ${day}`,
      };
  }
  return null;
};

/** Finds a month of the claim that the evidence does not name. */
export const monthsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = [...text.matchAll(dated)].map((found) => found[1]!);
  const found = monthsOf(sentences.map((sentence) => sentence.text).join('\n'));
  const missing = stated.find((name) => !found.has(names.indexOf(name as (typeof names)[number])));
  if (missing === undefined) return null;
  const other = [...monthsOf(near.map((sentence) => sentence.text).join('\n'))].find(
    (month) => !stated.includes(names[month]!),
  );
  return other === undefined
    ? { verdict: 'unsupported', reason: `${missing} is not in the passage` }
    : { verdict: 'contradicted', reason: `the passage says ${names[other]}, the answer ${missing}` };
};
