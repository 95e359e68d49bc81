/** Words that have to be counted over the whole text, after RULER (arXiv 2404.06654). */
import { type Generator, madeWords, type Task, type TaskRequest } from './task.ts';

const commonWords = 10;
const most = { common: 30, rare: 3 };

/** Returns how many items of a numbered list fit. */
function itemsFor({ tokens, sizeOf }: TaskRequest): number {
  const sample = Array.from({ length: 100 }, (_, at) => `${at + 100}. glakoven`).join(' ');
  return Math.max(120, Math.floor((tokens / sizeOf(sample)) * 100));
}

/**
 * Makes a `cwe` task: ten words occur thirty times in a long list, the others three times; in a short list less often.
 */
export const makeCommonWords: Generator = (request): Task => {
  const { random } = request;
  const items = itemsFor(request);
  const rare = items >= 600 ? most.rare : 1;
  const common = Math.max(rare * 3, Math.min(most.common, Math.floor(items / (2 * commonWords))));
  const others = Math.ceil((items - common * commonWords) / rare);
  const words = madeWords(random, commonWords + Math.max(1, others));
  const list = words.flatMap((word, at) => Array.from({ length: at < commonWords ? common : rare }, () => word));
  const text = random.shuffle(list).map((word, at) => `${at + 1}. ${word}`);
  const question = 'What are the 10 most common words in the list? List them, and nothing else.';
  return { text: `${lines(text, 10)}\n`, line: { question, targets: words.slice(0, commonWords), tags: ['cwe'] } };
};

function lines(parts: readonly string[], perLine: number): string {
  const all: string[] = [];
  for (let at = 0; at < parts.length; at += perLine) all.push(parts.slice(at, at + perLine).join(' '));
  return all.join('\n');
}

const zeta2 = Math.PI ** 2 / 6;
const vocabulary = 60;

/** Repeats each word as Zipf's law says, at least once; ranks count from 1. */
const byRank = (words: readonly string[], total: number): string[] =>
  words.flatMap((word, at) =>
    Array.from({ length: Math.max(1, Math.floor(total / (zeta2 * (at + 1) ** 2))) }, () => word),
  );

const fewestWords = 200;

/**
 * Makes a `fwe` task: coded words distributed by Zipf's law with α = 2; the first is dots, the next three are asked
 * for.
 */
export const makeFrequentWords: Generator = (request): Task => {
  const { random, tokens, sizeOf } = request;
  const words = madeWords(random, vocabulary);
  const all = ['...', ...words];
  const size = sizeOf(byRank(all, 10_000).join(' '));
  const list = byRank(all, Math.max(fewestWords, Math.floor((tokens / size) * 10_000)));
  const question =
    'The text holds coded words. Leave out the dots. What are the three words that occur most often? List them, and nothing else.';
  const text = `${lines(random.shuffle(list), 20)}\n`;
  return { text, line: { question, targets: words.slice(0, 3), tags: ['fwe'] } };
};
