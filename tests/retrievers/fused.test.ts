import { expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { byPlaces, byScores, createFusedRetriever } from '../../src/retrievers/fused.ts';
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

/** Creates both retrievers, and collects their warnings. */
function fuse(sure: Retriever, unsure: Retriever) {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const fused = createFusedRetriever({
    name: 'a+b',
    sure,
    unsure,
    loss: 'only a is asked',
    depth: 0,
    join: byPlaces,
    warn,
  });
  return { fused, warnings };
}

it('merges by rank: passages that both found first, then in turn', async () => {
  const { fused } = fuse(giving('a', 'P1', 'P2', 'P3'), giving('b', 'P9', 'P3', 'P8'));
  const access = countingAccess();
  const found = await fused.retrieve(query, signal, access);
  expect(idsOf(found)).toEqual(['P3', 'P1', 'P9', 'P2']);
  expect(found[0]!.score).toBeCloseTo(1 / 63 + 1 / 62, 12);
  expect(access.requests).toBe(2);
});

it('joins by scores: each as a share of its list’s best, with the weight of the list', () => {
  const scored = (id: string, score: number) => ({ ...passage(id), score });
  const words = [scored('P1', 20), scored('P2', 10)];
  const meaning = [scored('P2', 0.5), scored('P3', 0.4)];
  const joined = byScores(0.4, 0.6)(words, meaning).map(({ id, score }) => [id, Number(score.toFixed(6))]);
  expect(joined).toEqual([
    ['P1', 0.4],
    ['P2', 0.8],
    ['P3', 0.48],
  ]);
  expect(byScores(0.4, 0.6)(words, []).map(({ id }) => id)).toEqual(['P1', 'P2']);
});

it('respects the bytes, and includes a later one that fits', async () => {
  const { fused } = fuse(giving('a', passage('P1', 900), passage('P2', 900)), giving('b', 'P9'));
  expect(idsOf(await fused.retrieve({ ...query, maxBytes: 920 }, signal, countingAccess()))).toEqual(['P1', 'P9']);
});

const failing = (error: Error): Retriever => ({ name: 'b', retrieve: () => Promise.reject(error) });

it('continues without the unsure one, with a warning, and does not ask it again', async () => {
  let asked = 0;
  const unsure: Retriever = {
    name: 'b',
    retrieve: () => {
      asked += 1;
      return Promise.reject(new RlmError('search-failed', 'it is gone', { hint: 'Start it.' }));
    },
  };
  const { fused, warnings } = fuse(giving('a', 'P1'), unsure);
  for (const _ of [1, 2]) expect(idsOf(await fused.retrieve(query, signal, countingAccess()))).toEqual(['P1']);
  expect(warnings).toEqual(['only a is asked: it is gone. Start it.']);
  expect(asked).toBe(1);
});

it.each([
  ['a bug', new TypeError('a bug')],
  ['a limit of the run', new RlmError('limit-fetches', 'a limit')],
])('does not hide %s', async (_, error) => {
  const { fused } = fuse(giving('a', 'P1'), failing(error));
  await expect(fused.retrieve(query, signal, countingAccess())).rejects.toBe(error);
});

it('fails when the sure one does', async () => {
  const { fused } = fuse(failing(new RlmError('no-space', 'full')), giving('b', 'P1'));
  await expect(fused.retrieve(query, signal, countingAccess())).rejects.toMatchObject({ code: 'no-space' });
});
