import { describe, expect, it } from 'vitest';
import { subQuery } from '../../../src/tools/questions/sub-query.ts';
import { refusal } from '../file-world.ts';
import { worldOf } from '../tool-world.ts';

const lines = Array.from({ length: 9 }, (_, at) => `line ${at + 1}\n`).join('');

/** Returns why a query is refused. */
function refused(query: object, documents: Readonly<Record<string, string>>): Promise<string> {
  const queries = [{ question: 'What?', ...query }];
  return refusal(subQuery, { queries }, worldOf(documents, { questions: { refusal: () => null } as never }));
}

describe('a sub-query is refused', () => {
  it('if it would divide a document whose path names two', async () => {
    const documents = { 'x/a.log': 'one\ntwo\n', 'y/a.log': 'three\nfour\n' };
    expect(await refused({ path: 'a.log', every: 1 }, documents)).toBe('"a.log" may be x/a.log or y/a.log.');
  });

  it.each([{}, { every: 2 }])('if its part has no lines: %j', async (every) => {
    const documents = { 'a.log': lines };
    expect(await refused({ path: 'a.log', startLine: 20, ...every }, documents)).toContain('has no lines 20 to');
    expect(await refused({ path: 'a.log', startLine: 5, endLine: 4, ...every }, documents)).toBe(
      'endLine 4 is before startLine 5',
    );
  });
});

it.each(['', 'text'])('a sub-query divides the only document if its path is "%s"', async (path) => {
  const asked: number[] = [];
  const ask = async (queries: readonly unknown[]) => {
    asked.push(queries.length);
    return [];
  };
  const tables = { add: () => 'answers' };
  const world = worldOf({ 'a.log': lines }, { questions: { refusal: () => null, ask, tables } as never });
  await subQuery.run({ queries: [{ question: 'What?', path, every: 3 }] }, world);
  expect(asked).toEqual([3]);
});
