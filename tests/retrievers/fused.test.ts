import { expect, it } from 'vitest';
import { createFusedRetriever } from '../../src/retrievers/fused.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { countingAccess, signal } from '../support/search-servers.ts';

const passage = (id: string, bytes = 10) => {
  const place = { source: 's', startLine: 1, endLine: 1, startByte: 100, endByte: 100 + bytes };
  return { id, text: 'x'.repeat(bytes), score: 5, hash: id, ...place };
};

const giving = (name: string, ...ids: readonly (string | ReturnType<typeof passage>)[]): Retriever => ({
  name,
  retrieve: async (_, __, access) =>
    access!.request(async () => ids.map((id) => (typeof id === 'string' ? passage(id) : id))),
});

const query = { text: 'q', limit: 4, maxBytes: 1_000 };
const idsOf = (passages: readonly { id: string }[]) => passages.map(({ id }) => id);

it('merges by rank: what both found first, then in turn', async () => {
  const fused = createFusedRetriever([giving('a', 'P1', 'P2', 'P3'), giving('b', 'P9', 'P3', 'P8')]);
  const access = countingAccess();
  const found = await fused.retrieve(query, signal, access);
  expect(idsOf(found)).toEqual(['P3', 'P1', 'P9', 'P2']);
  expect(found[0]!.score).toBeCloseTo(1 / 63 + 1 / 62, 12);
  expect(fused.name).toBe('a+b');
  expect(access.requests).toBe(2);
});

it('keeps to the bytes, and takes a later one that fits', async () => {
  const fused = createFusedRetriever([giving('a', passage('P1', 900), passage('P2', 900)), giving('b', 'P9')]);
  expect(idsOf(await fused.retrieve({ ...query, maxBytes: 920 }, signal, countingAccess()))).toEqual(['P1', 'P9']);
});

it('fails when one of them does', async () => {
  const broken: Retriever = { name: 'b', retrieve: () => Promise.reject(new Error('gone')) };
  await expect(
    createFusedRetriever([giving('a', 'P1'), broken]).retrieve(query, signal, countingAccess()),
  ).rejects.toThrow('gone');
});
