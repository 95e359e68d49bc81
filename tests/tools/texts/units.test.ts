import { expect, it } from 'vitest';
import { createContextStore } from '../../../src/context/store/store.ts';
import { unitsOf } from '../../../src/tools/texts/units.ts';
import { worldOf } from '../tool-world.ts';

it('an item has the passage of its first line, also after bytes that are not UTF-8', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1} \xe9\xe9\xe9\xe9`);
  const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
  const store = createContextStore([{ name: 'a.txt', bytes }], { chunkBytes: 100 });
  const units = await unitsOf({ each: 'line' }, { ...worldOf({}), store });
  expect(units).toHaveLength(40);
  for (const { startLine, passages } of units) {
    const [passage, ...others] = passages;
    expect(others).toEqual([]);
    expect(startLine).toBeGreaterThanOrEqual(passage!.startLine);
    expect(startLine).toBeLessThanOrEqual(passage!.endLine);
  }
});
