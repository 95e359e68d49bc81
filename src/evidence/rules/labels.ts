import type { Rule } from './rule.ts';

/** A word with the number that identifies it: `No. 5`, `Hits 1`, `version 3`. */
const label =
  /(?<![\p{L}\p{N}])(?<word>No\.|\p{Lu}\p{L}+|number|season|episode|chapter|part|volume|version|group|round|stage|grade|level|phase|section|article|step) (?<number>\d{1,4})(?=[.,;:)\]"”]?(?:\s|$)(?!(?:\p{Ll}{3,}s|percent|million|billion)\b))(?![.,]\d)/gu;
const month = /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/;
const isYear = (number: number): boolean => number >= 1000 && number <= 2100;

interface Label {
  readonly word: string;
  readonly number: number;
}

const labelsIn = (text: string): Label[] =>
  [...text.matchAll(label)]
    .map(({ groups }) => {
      const { word, number } = groups!;
      return { word: word!, number: Number(number) };
    })
    .filter(({ word, number }) => !month.test(word) && !isYear(number));

/** Finds a word with a number that the evidence has with other numbers only. */
export const labelsStand: Rule = ({ text, near }, { sentences }) => {
  const stated = labelsIn(text);
  if (stated.length === 0) return null;
  const isOf = (word: string) => (other: Label) => other.word.toLowerCase() === word.toLowerCase();
  const found = sentences.flatMap((sentence) => labelsIn(sentence.text));
  const close = near.flatMap((sentence) => labelsIn(sentence.text));
  for (const { word, number } of stated) {
    const rival = close.find(isOf(word));
    if (rival === undefined || found.filter(isOf(word)).some((other) => other.number === number)) continue;
    const reason = `the passage says ${rival.word} ${rival.number}, the answer ${word} ${number}`;
    return { verdict: 'contradicted', reason };
  }
  return null;
};
