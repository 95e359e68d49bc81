import type { Rule } from './rule.ts';

/** A score or a range: `10–7`, `3,800-3,700`. Years and dates are judged as numbers. */
const pair =
  /(?<![\d\p{L}.:/–-])(\d{1,3}(?:,\d{3})+|\d{1,5})\s?[–-]\s?(\d{1,3}(?:,\d{3})+|\d{1,5})(?![\d\p{L}:/–-]|[.,]\d)/gu;

const isYear = (value: number): boolean => value >= 1000 && value <= 2100;

interface NumberPair {
  readonly text: string;
  readonly values: readonly [least: number, most: number];
}

function pairsIn(text: string): NumberPair[] {
  return [...text.matchAll(pair)].flatMap(([found, one, other]): NumberPair[] => {
    const values = [one, other].map((digits) => Number(digits!.replaceAll(',', '')));
    return isYear(values[0]!) ? [] : [{ text: found, values: [Math.min(...values), Math.max(...values)] }];
  });
}

const isSame = (one: NumberPair, other: NumberPair): boolean => one.values.join() === other.values.join();

/** A score or a range of the claim, of which the sentences near it have but one number beside another. */
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
