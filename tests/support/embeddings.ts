import { createHash } from 'node:crypto';
import type { Embedder, EmbedderInfo } from '../../src/providers/embedder.ts';

/** Returns words without their endings, so that `apple` and `apples` are equal. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

const hashes = new Map<string, number>();

function hashOf(word: string): number {
  const hash = hashes.get(word) ?? createHash('sha256').update(word).digest().readUInt32LE(0);
  hashes.set(word, hash);
  return hash;
}

/** Counts each word in the dimension of its hash. Texts without a common word are orthogonal. */
export function bagOfWords(text: string, dimensions = 512): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of wordsOf(text)) vector[hashOf(word) % dimensions]! += 1;
  return vector;
}

/** Maps synonyms to the first word of their group. */
const synonyms = new Map(
  ['broke failed crashed outage', 'lowered reduced cut', 'car automobile vehicle'].flatMap((group) => {
    const [first = '', ...others] = group.split(' ');
    return others.map((other): [string, string] => [other, first]);
  }),
);

/** Simulates a model that knows some synonyms, and no numbers. */
export const bagOfMeanings = (text: string): number[] =>
  bagOfWords(
    wordsOf(text.replace(/\d+/g, ' '))
      .map((word) => synonyms.get(word) ?? word)
      .join(' '),
  );

/** Creates an embedder in this process that records its requests. */
export function createLocalEmbedder(
  vectorOf: (text: string, request: number) => readonly number[] = (text) => bagOfWords(text),
  info: EmbedderInfo = { digest: 'one', notices: [] },
): Embedder & { readonly requests: readonly (readonly string[])[] } {
  const requests: (readonly string[])[] = [];
  return {
    name: 'local',
    model: 'bag',
    address: 'here',
    requests,
    async inspect(signal) {
      signal.throwIfAborted();
      return info;
    },
    async embed(texts, signal) {
      signal.throwIfAborted();
      const request = requests.push(texts) - 1;
      const vectors = texts.map((text) => Float32Array.from(vectorOf(text, request)));
      return { vectors, tokens: texts.length };
    },
  };
}
