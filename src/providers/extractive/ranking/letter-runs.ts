import { stopwordList } from '../../../context/words/stopwords.ts';

const runLength = 4;
const fewestLetters = 3;
const mostLetters = 64;
/** In fewer sentences no run is rare. */
const fewestTexts = 20;
const words = /[\p{L}\p{N}]+/gu;
const common: ReadonlySet<string> = new Set(stopwordList);

/** The runs of four letters in a word, its start and its end being letters of their own. */
function runsOf(word: string): string[] {
  if (word.length < fewestLetters || common.has(word)) return [];
  const letters = `^${word.slice(0, mostLetters)}$`;
  return Array.from({ length: letters.length - runLength + 1 }, (_, at) => letters.slice(at, at + runLength));
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(words) ?? [];

/**
 * Tells, by the number of a text, the share of the runs of letters in a question that it has, the rarest counting
 * most: words of one family (`invade`, `invasion`) have some in common where they have no stem. 0–1.
 */
export function createLetterRuns(question: string, texts: readonly string[]): (number: number) => number {
  const wanted = new Map([...new Set(wordsOf(question).flatMap(runsOf))].map((run, at) => [run, at]));
  const counts = Array.from(wanted, () => 0);
  const known = new Map<string, readonly number[]>();
  const ofWord = (word: string): readonly number[] => {
    const found = known.get(word) ?? runsOf(word).flatMap((run) => wanted.get(run) ?? []);
    known.set(word, found);
    return found;
  };
  const having = texts.map((text) => {
    const found = new Set(wordsOf(text).flatMap(ofWord));
    for (const at of found) counts[at]!++;
    return found;
  });
  const all = Math.max(fewestTexts, texts.length);
  const weights = counts.map((count) => Math.log(1 + (all - count + 0.5) / (count + 0.5)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (number) => {
    let sum = 0;
    for (const at of having[number]!) sum += weights[at]!;
    return total === 0 ? 0 : sum / total;
  };
}
