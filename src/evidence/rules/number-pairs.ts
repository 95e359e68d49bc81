import type { Rule } from './rule.ts';

/** A score or a range: `10–7`, `3,800-3,700`. Years and dates are judged as numbers. */
const pair =
  /(?<![\d\p{L}.:/–-])(\d{1,3}(?:,\d{3})+|\d{1,5})\s?[–-]\s?(\d{1,3}(?:,\d{3})+|\d{1,5})(?![\d\p{L}:/–-]|[.,]\d)/gu;

const isYear = (value: number): boolean => value >= 1000 && value <= 2100;

/** The pairs of numbers that a text has, the lesser first. */
function pairsIn(text: string): [number, number][] {
  return [...text.matchAll(pair)].flatMap(([, one, other]): [number, number][] => {
    const [left, right] = [one, other].map((digits) => Number(digits!.replaceAll(',', ''))) as [number, number];
    return isYear(left) ? [] : [[Math.min(left, right), Math.max(left, right)]];
  });
}

/** A score or a range of the claim, of which the sentences near it have but one number beside another. */
export const pairsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = pairsIn(text);
  if (stated.length === 0) return null;
  const found = sentences.flatMap((sentence) => pairsIn(sentence.text));
  const close = near.flatMap((sentence) => pairsIn(sentence.text));
  for (const [low, high] of stated) {
    if (found.some((one) => one[0] === low && one[1] === high)) continue;
    const rival = close.find((one) => one.includes(low) || one.includes(high));
    if (rival)
      return { verdict: 'contradicted', reason: `the passage says ${rival.join('–')}, the answer ${low}–${high}` };
  }
  return null;
};
