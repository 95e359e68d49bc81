/** Supported claims, with the text that each cites. */
import { splitSentences } from '../../src/context/sentences/split.ts';
import type { Passage } from '../../src/state.ts';
import { readArticles } from '../fitting/cases.ts';
import { passageOf, readWice } from '../fitting/wice.ts';

export interface SupportedClaim {
  readonly text: string;
  readonly passages: readonly Passage[];
}

export type Half = 'dev' | 'test';

export const isInHalf = (place: number, half: Half) => (place % 2 === 0) === (half === 'dev');

/** Supported claims of WiCE: in other words than the page, from several of its sentences. */
export const paraphrased = (data: string, half: Half): SupportedClaim[] =>
  readWice(data)
    .filter(({ label }) => label === 'supported')
    .map(({ claim, passages }) => ({ text: claim, passages }))
    .filter((_, place) => isInHalf(place, half));

/**
 * A sentence as a model might repeat it: without parentheses, with its beginning at its end, without its last clause.
 */
function retold(sentence: string): string {
  const plain = sentence
    .replace(/\s*\([^()]*\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const shorter = plain.replace(/, (?:which|who|where|and|with|while|but) [^,]{10,}\.$/, '.');
  const moved = /^((?:In|On|By|During|After|Since|At) [^,]{3,40}), (\p{L})(.*)\.$/u.exec(shorter);
  return moved ? `${moved[2]!.toUpperCase()}${moved[3]} ${moved[1]![0]!.toLowerCase()}${moved[1]!.slice(1)}.` : shorter;
}

const most = 400;
const isUsable = (text: string) => {
  const words = text.split(' ').length;
  return words >= 9 && words <= 35 && /^\p{Lu}/u.test(text) && /(?:\d|\p{Ll} \p{Lu})/u.test(text);
};

/**
 * Sentences of encyclopedia articles in nearly their own words: at most three of a paragraph, equally many of each
 * article.
 */
export function retoldSentences(data: string, half: Half): SupportedClaim[] {
  const articles = readArticles(data, half === 'dev' ? 'fitted' : 'held out');
  return articles.flatMap(({ paragraphs }) => {
    const claims = paragraphs.flatMap(({ text }) => {
      const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end).trim());
      return sentences
        .map(retold)
        .filter(isUsable)
        .slice(0, 3)
        .map((claim) => ({ text: claim, passages: [passageOf(text)] }));
    });
    return claims.slice(0, most / articles.length);
  });
}
