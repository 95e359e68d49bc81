import { expect, it } from 'vitest';
import { chunkAt } from '../../src/context/lines.ts';
import { createContextStore } from '../../src/context/store/store.ts';

const text = (name: string, words: string) => ({ name, bytes: Buffer.from(words) });
const paragraph = (word: string) => `${`${word} `.repeat(60)}\n\n`;
const store = createContextStore([text('a.md', 'one\ntwo'), text('b.md', 'abc'.split('').map(paragraph).join(''))], {
  chunkBytes: 150,
});
const ofB = [...Array(store.chunkCount).keys()].filter((at) => store.chunk(at).document === 1);

it('finds the chunk that holds a byte, in each document', () => {
  expect(ofB.length).toBeGreaterThan(1);
  expect([0, 3, 6].map((byte) => chunkAt(store, 0, byte))).toEqual([0, 0, 0]);
  for (const at of ofB) {
    const { startByte, endByte } = store.chunk(at);
    expect([chunkAt(store, 1, startByte), chunkAt(store, 1, endByte - 1)]).toEqual([at, at]);
  }
});

it("finds a document's last chunk for its end, where a pattern may match nothing", () => {
  expect(chunkAt(store, 0, 7)).toBe(0);
  expect(chunkAt(store, 1, store.documents[1]!.bytes)).toBe(ofB.at(-1));
});
