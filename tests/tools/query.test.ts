import { describe, expect, it } from 'vitest';
import { computedPassage } from '../../src/context/computed-passage.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import type { Passage } from '../../src/state.ts';
import { query } from '../../src/tools/query.ts';
import type { Bounds, ToolWorld } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';

const orders = `id,customer,total\n${Array.from({ length: 300 }, (_, n) => `${n},${n % 2 ? 'Ana' : 'Bo'},${n}.5\n`).join('')}`;

const bounds = { characters: 2_000, lines: 60 };

/** Runs the tool over a table in several passages. */
function createWorld(): { readonly world: ToolWorld; readonly last: string } {
  const store = createContextStore([{ name: 'orders.csv', bytes: Buffer.from(orders) }], { chunkBytes: 500 });
  const world: ToolWorld = {
    bounds,
    store,
    files: null,
    pieceBytes: 1_000,
    questions: null,
    find: async () => [],
    compute: computedPassage,
    note: () => '',
    signal: new AbortController().signal,
  };
  return { world, last: `P${store.chunkCount}` };
}

/** Returns the text that the tool shows within bounds, and the ids of the passages that can then be cited. */
async function shownFor(given: { sql?: string }, within: Bounds = bounds) {
  const { world, last } = createWorld();
  const result = await query.run(given, { ...world, bounds: within });
  const { text, passages } = typeof result === 'string' ? { text: result, passages: [] } : result(within);
  return { text, passages, ids: passages.map(({ id }) => id), last };
}

describe('the tool query', () => {
  it('shows rows, and their source passages, which can then be cited', async () => {
    const { text, ids, last } = await shownFor({ sql: 'select id, total from orders where id in (0, 299)' });
    expect(text).toBe(`[${ids[0]}] id | total\n0 | 0.5\n299 | 299.5\nFrom [P1] orders.csv:2, [${last}] orders.csv:301`);
    expect(ids.slice(1)).toEqual(['P1', last]);
  });

  it('computes a value that can be cited with its query', async () => {
    const sql = 'select customer, count(*), sum(total) from orders group by 1 order by 1';
    const { text, passages } = await shownFor({ sql });
    expect(passages).toHaveLength(1);
    const [{ id, source, text: computed }] = passages as [Passage];
    expect(text).toBe(`[${id}] customer | count(*) | sum(total)\nAna | 150 | 22575\nBo | 150 | 22425`);
    expect(source).toBe('computed:query');
    expect(computed).toContain(sql);
    expect(computed).toContain('Bo | 150 | 22425');
  });

  it.each([[{ lines: 12 }], [{ characters: 500 }]])('stays within %j, and says how to see more', async (within) => {
    const room = { ...bounds, ...within };
    const { text } = await shownFor({ sql: 'select id, customer from orders' }, room);
    expect(text.length).toBeLessThanOrEqual(room.characters);
    expect(text.split('\n').length).toBeLessThanOrEqual(room.lines);
    expect(text).toMatch(/of 300 rows .*LIMIT \d+ OFFSET \d+/);
  });

  it('describes the tables without SQL', async () => {
    expect((await shownFor({})).text).toMatch(
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
