/** Builds an index over this many bytes of synthetic text, queries it, and sends the measurements to the parent. */
import { createContextStore } from '../../src/context/store/store.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Taken } from './speed.ts';

const syllables = 'ba re ti on al er st ing ed mo ca ly pre con tion ness ex un able ize'.split(' ');
const wordCount = 60_000;

/** Creates a generator of numbers, 0–1, that are the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Creates words with natural frequencies: the n-th most frequent one occurs an n-th as often as the first. */
function createWords(random: () => number): () => string {
  const syllable = () => syllables[Math.floor(random() * syllables.length)]!;
  const words = Array.from({ length: wordCount }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join(''),
  );
  return () => words[Math.floor(wordCount ** random()) - 1]!;
}

const few = (word: () => string, count: number) => Array.from({ length: count }, word).join(' ');

function writeText(bytes: number, word: () => string): Buffer {
  const text = Buffer.alloc(bytes, ' ');
  for (let at = 0; at < bytes; ) at += text.write(`${few(word, 12)}.\n`, at);
  return text;
}

const signal = new AbortController().signal;
const passages = { limit: 8, maxBytes: 16_000 };

async function measure(bytes: number): Promise<Taken> {
  const word = createWords(createRandom());
  const store = createContextStore([{ name: 'text', bytes: writeText(bytes, word) }]);
  const retriever = createLexicalRetriever(store);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await retriever.retrieve({ text: 'no such words', ...passages }, signal);
  const buildMs = performance.now() - startedAt;
  const buildCpuMs = process.cpuUsage(cpu).user / 1000;
  const queryMs: number[] = [];
  for (let round = 0; round < 300; round++) {
    const query = { text: few(word, 6), ...passages };
    const askedAt = performance.now();
    await retriever.retrieve(query, signal);
    queryMs.push(performance.now() - askedAt);
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { chunks: store.chunkCount, buildMs, buildCpuMs, queryMs, peakMb };
}

process.send!(await measure(Number(process.argv[2])));
