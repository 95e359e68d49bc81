import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentTerms } from '../../../src/context/words/terms.ts';
import { termKey } from '../../../src/retrievers/lexical/key-table.ts';
import { createTermCounter } from '../../../src/retrievers/lexical/term-counter.ts';

const byKey = (counts: Map<number, number>) => [...counts].sort(([a], [b]) => a - b);

/** Returns the counter's counts by key for each text, one after the other. */
function counted(texts: readonly string[]) {
  const counter = createTermCounter(contentTerms);
  return texts.map((text) => {
    const counts = new Map<number, number>();
    counter.count(Buffer.from(text));
    const length = counter.length();
    counter.take((term, frequency) => counts.set(counter.key(term), frequency));
    return { counts: byKey(counts), length };
  });
}

function expected(text: string) {
  const counts = new Map<number, number>();
  const terms = contentTerms(text);
  for (const term of terms) {
    const key = termKey(term);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { counts: byKey(counts), length: terms.length };
}

describe('a term counter', () => {
  it.each([
    'Retries are retried; retrying again.',
    'src/readInputs.ts:12 HTTPServer_url2 v1.2.3 well-known 10.0.0.1',
    '2026-11-21T07:15:26.123Z id=3fa9bc01 ffab12 a--b foo. .bar x/',
    'naïve café-crème größe/straße 漢字かな foo-漢 漢-foo é-foo foo-é',
    `${'x'.repeat(70)} ${'7'.repeat(70)} ${'Ab'.repeat(30)} ${'a/'.repeat(50)}b`,
  ])('counts the terms of %s', (text) => {
    expect(counted([text])).toEqual([expected(text)]);
  });

  it('counts the same terms as in text, also of known words', () => {
    const word = fc.oneof(
      fc.constantFrom('retry', 'Retries', 'the', 'fooBar', 'a_b', '12', '1st', 'x', 'é', '漢字', 'Ünder'),
      fc.string({ unit: fc.constantFrom(...'abzAZ09_éñ漢'), maxLength: 5 }),
      fc.string({ maxLength: 3 }),
    );
    const joint = fc.constantFrom(' ', '.', '-', '/', '\\', '--', ': ', '\n', '');
    const text = fc.array(fc.tuple(word, joint), { maxLength: 12 }).map((pairs) => pairs.flat().join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const repeated = [...texts, ...texts].map((one) => one.toWellFormed());
        expect(counted(repeated)).toEqual(repeated.map(expected));
      }),
      { numRuns: 300 },
    );
  });
});
