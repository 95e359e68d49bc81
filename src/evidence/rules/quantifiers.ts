import { contentTerms } from '../../context/words/terms.ts';
import type { Rule } from './rule.ts';

const all = /\b(?:all|every|each|always|everyone|everybody|entirely|whole)\b(?! (?:but|other))/gi;
const some =
  /\b(?:some|several|many|most|few|a few|part(?:s)? of|partly|often|sometimes|usually|half|almost all|nearly all)\b/gi;

/** Returns the quantifiers of a text, each with the first term behind it. */
const countedIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: word, index }) => {
    return { word, term: contentTerms(text.slice(index + word.length, index + word.length + 60))[0] };
  });

/** Finds a claim about all where the evidence speaks of some. */
export const quantifiersHold: Rule = ({ text, near }) => {
  for (const { word, term } of countedIn(text, all)) {
    const saying = near.filter(({ has }) => term !== undefined && has.has(term));
    if (saying.some((sentence) => countedIn(sentence.text, all).some((one) => one.term === term))) continue;
    const less = saying.flatMap((sentence) => countedIn(sentence.text, some)).find((one) => one.term === term);
    if (less) return { verdict: 'partial', reason: `the passage says "${less.word}", the answer "${word}"` };
  }
  return null;
};
