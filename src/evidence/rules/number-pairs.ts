import type { Rule } from './rule.ts';

const digits = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,5})`;
/** A score or a range: `10–7`, `3,800-3,700`, `from 12 to 18`. Years and dates are judged as numbers. */
const pairs = [
  new RegExp(String.raw`(?<![\d\p{L}.:/–-])${digits}\s?[–-]\s?${digits}(?![\d\p{L}:/–-]|[.,]\d)`, 'gu'),
  new RegExp(String.raw`\b(?:from|between) ${digits} (?:to|and|until) ${digits}(?![\d\p{L}:/–-]|[.,]\d)`, 'gu'),
];

const isYear = (value: number): boolean => value >= 1000 && value <= 2100;

interface NumberPair {
  readonly text: string;
  readonly values: readonly [least: number, most: number];
}

function pairsIn(text: string): NumberPair[] {
  return pairs
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([found, one, other]): NumberPair[] => {
      const values = [one, other].map((digits) => Number(digits!.replaceAll(',', '')));
      return isYear(values[0]!) ? [] : [{ text: found, values: [Math.min(...values), Math.max(...values)] }];
    });
}

const isSame = (one: NumberPair, other: NumberPair): boolean => one.values.join() === other.values.join();

/** Finds a score or a range of which the near sentences have only one number, paired with another. */
export const pairsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = pairsIn(text);
  if (stated.length === 0) return null;
  const found = sentences.flatMap((sentence) => pairsIn(sentence.text));
  const close = near.flatMap((sentence) => pairsIn(sentence.text));
  for (const one of stated.filter((own) => !found.some((other) => isSame(own, other)))) {
    const rival = close.find(({ values }) => one.values.some((value) => values.includes(value)));
    if (rival) return { verdict: 'contradicted', reason: `the passage says ${rival.text}, the answer ${one.text}` };
  }
  return null;
};
