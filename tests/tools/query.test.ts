import { describe, expect, it } from 'vitest';
import { createContextStore } from '../../src/context/store/store.ts';
import { createContexts } from '../../src/tools/contexts/named-contexts.ts';
import { query } from '../../src/tools/query.ts';
import type { Bounds, ToolWorld } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';

const orders = `id,customer,total\n${Array.from({ length: 300 }, (_, n) => `${n},${n % 2 ? 'Ana' : 'Bo'},${n}.5\n`).join('')}`;

/** The tool over a table in several passages. */
function createWorld(bounds: Partial<Bounds> = {}) {
  const store = createContextStore([{ name: 'orders.csv', bytes: Buffer.from(orders) }], { chunkBytes: 500 });
  const shown: string[] = [];
  const show = (indexes: readonly number[]) =>
    indexes.map((index) => {
      const passage = store.plainPassage(store.chunk(index));
      shown.push(passage.id);
      return passage;
    });
  const world: ToolWorld = {
    bounds: { characters: 2_000, lines: 60, ...bounds },
    store,
    contexts: createContexts({ store, chunkBytes: 1_000, show, retrieve: async () => [] }),
    files: null,
    questions: null,
    cite: () => 'P1',
    signal: new AbortController().signal,
  };
  return { world, store, shown };
}

describe('the tool query', () => {
  it('shows rows, and the passages that they are from, which can be cited then', async () => {
    const { world, store, shown } = createWorld();
    const result = await query.run({ sql: 'select id, total from orders where id in (0, 299)' }, world);
    const last = `P${store.chunkCount}`;
    expect(result).toBe(`id | total\n0 | 0.5\n299 | 299.5\nFrom [P1] orders.csv:2, [${last}] orders.csv:301`);
    expect(shown).toEqual(['P1', last]);
  });

  it('computes', async () => {
    const { world, shown } = createWorld();
    const sql = 'select customer, count(*), sum(total) from orders group by 1 order by 1';
    expect(await query.run({ sql }, world)).toBe(
      'customer | count(*) | sum(total)\nAna | 150 | 22575\nBo | 150 | 22425',
    );
    expect(shown).toEqual([]);
  });

  it.each([[{ lines: 12 }], [{ characters: 500 }]])('stays within %j, and says how to see the rest', async (bounds) => {
    const { world } = createWorld(bounds);
    const result = await query.run({ sql: 'select id, customer from orders' }, world);
    expect(result.length).toBeLessThanOrEqual(world.bounds.characters);
    expect(result.split('\n').length).toBeLessThanOrEqual(world.bounds.lines);
    expect(result).toMatch(/of 300 rows .*LIMIT \d+ OFFSET \d+/);
  });

  it('describes the tables without SQL', async () => {
    const { world } = createWorld();
    expect(await query.run({}, world)).toMatch(
      /^orders: 300 rows; from orders\.csv\n {2}id INTEGER, customer TEXT, total REAL$/m,
    );
  });

  it('names the tables after wrong SQL', async () => {
    const { world } = createWorld();
    const wrong = query.run({ sql: 'select * from order' }, world);
    await expect(wrong).rejects.toThrow(ToolError);
    await expect(wrong).rejects.toThrow(/orders\(document, line, id, customer, total\)/);
  });
});
