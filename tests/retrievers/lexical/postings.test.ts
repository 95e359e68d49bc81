import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpool } from '../../../src/context/store/spool.ts';
import { contentTerms } from '../../../src/context/words/terms.ts';
import { termKey } from '../../../src/retrievers/lexical/key-table.ts';
import { createIndexBuilder, createPostings } from '../../../src/retrievers/lexical/postings.ts';
import { createSegmentBuilder, findTerm, readPostings } from '../../../src/retrievers/lexical/segment.ts';
import { createTermCounter } from '../../../src/retrievers/lexical/term-counter.ts';

const texts = fc.array(fc.array(fc.constantFrom('apple', 'pear', 'plum', 'fig', 'kiwi'), { maxLength: 200 }), {
  maxLength: 300,
});

/** Returns the chunks that hold a word, with its frequencies. */
const holding = (chunks: readonly (readonly string[])[], word: string) =>
  chunks.flatMap((words, chunk) => {
    const frequency = words.filter((one) => one === word).length;
    return frequency > 0 ? [{ chunk, frequency }] : [];
  });

const pairs = (chunks: Uint32Array, frequencies: Uint32Array) =>
  [...chunks].map((chunk, index) => ({ chunk, frequency: frequencies[index] }));

describe('postings', () => {
  it('return which chunks hold a term, and how often', () => {
    fc.assert(
      fc.property(texts, (chunks) => {
        const builder = createIndexBuilder(contentTerms);
        for (const words of chunks) {
          builder.count(Buffer.from(words.join(' ')));
          builder.endChunk();
        }
        const postings = createPostings(builder.finish());
        expect([...postings.lengths]).toEqual(chunks.map((words) => words.length));
        for (const word of ['apple', 'pear', 'plum', 'fig', 'kiwi', 'melon']) {
          const [term] = contentTerms(word);
          const { chunks: found, frequencies } = postings.lookUp(term!);
          expect(pairs(found, frequencies)).toEqual(holding(chunks, word));
        }
        builder.close();
      }),
      { numRuns: 100 },
    );
  });

  it('are found in every segment, in memory and in a file, among thousands of terms', () => {
    const counter = createTermCounter(contentTerms);
    const builder = createSegmentBuilder();
    for (const memoryBytes of [0, 10_000_000]) {
      const spool = createSpool(memoryBytes);
      const words = Array.from({ length: 5_000 }, (_, index) => `w${index}x`);
      for (const word of words) {
        counter.count(Buffer.from(`${word} shared shared`));
        builder.addChunk(counter);
      }
      const segment = builder.finish(counter, spool);
      for (const [index, word] of words.entries()) {
        const chunks = new Uint32Array(1);
        const frequencies = new Uint32Array(1);
        readPostings(findTerm(segment, termKey(word), spool)!, spool, chunks, frequencies, 0);
        expect([chunks[0], frequencies[0]]).toEqual([segment.firstChunk + index, 1]);
      }
      expect(findTerm(segment, termKey('share'), spool)?.holders).toBe(5_000);
      expect(findTerm(segment, termKey('missing'), spool)).toBeNull();
      spool.close();
    }
  });
});
