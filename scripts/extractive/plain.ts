/**
 * The baseline of the extraction bench: the two best sentences by plain BM25; for counting questions, the number of
 * lines with the question's rarest word, as reported by `rg -ciw`.
 */
import type { Label } from './labels.ts';
import type { Answer } from './score.ts';
import { linesOf } from './texts.ts';

const stopWords = new Set(
  'a an and are at be by can did do does for from had has have how i if in is it many me my no number of often on or the there to was were what when where which who why with'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const sentencesOf = (line: string): string[] =>
  line.split(/(?<=[.!?])\s+(?=\p{Lu})/u).filter((part) => part.trim() !== '');

/** Returns the BM25 score of each sentence for the question; k1 1.2, b 0.75. */
function bm25(question: string, sentences: readonly (readonly string[])[]): number[] {
  const mean = sentences.reduce((sum, words) => sum + words.length, 0) / sentences.length;
  const scores = sentences.map(() => 0);
  for (const term of new Set(wordsOf(question))) {
    const frequencies = sentences.map((words) => words.filter((word) => word === term).length);
    const having = frequencies.filter((frequency) => frequency > 0).length;
    const idf = Math.log(1 + (sentences.length - having + 0.5) / (having + 0.5));
    for (const [index, frequency] of frequencies.entries()) {
      const length = 1.2 * (0.25 + (0.75 * sentences[index]!.length) / mean);
      scores[index]! += (idf * frequency * 2.2) / (frequency + length);
    }
  }
  return scores;
}

function bestSentences(question: string, lines: readonly string[]): Answer {
  const sentences = lines.flatMap(sentencesOf);
  const scores = bm25(question, sentences.map(wordsOf));
  const best = scores
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 2)
    .map(({ index }) => sentences[index]!);
  return {
    text: best.map((sentence, index) => `${sentence} [${index + 1}]`).join('\n'),
    quotes: new Map(best.map((sentence, index) => [index + 1, sentence])),
  };
}

function wordCount(question: string, lines: readonly string[]): Answer {
  const words = lines.map((line) => new Set(wordsOf(line)));
  const counts = wordsOf(question)
    .filter((word) => !stopWords.has(word))
    .map((word) => words.filter((line) => line.has(word)).length)
    .filter((count) => count > 0);
  return { text: counts.length === 0 ? '0' : String(Math.min(...counts)), quotes: new Map() };
}

/** Returns the answer of the baseline. */
export function plainAnswer({ type, ask, paths }: Label): Answer {
  const lines = linesOf(paths);
  return type === 'count' ? wordCount(ask, lines) : bestSentences(ask, lines);
}
