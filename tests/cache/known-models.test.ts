import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeChecked } from '../../src/base/checked-json.ts';
import { openKnownModels, readKnownModel } from '../../src/cache/known-models.ts';
import type { RunModel } from '../../src/run/roster.ts';

const modelOf = (name: string, digest: string | null) =>
  ({ provider: { name: 'ollama' }, info: { model: name, digest } }) as unknown as RunModel;
const folderFor = () => mkdtempSync(join(tmpdir(), 'rlm-known-'));
const small = modelOf('small', 'a1');

describe('the known facts of models', () => {
  it('are stored by version: the abilities that each lacks, and its speed', async () => {
    const folder = folderFor();
    const first = await openKnownModels(folder);
    first.recordLack(small, 'tools');
    first.recordSpeed(small, { read: 70, written: 9 });
    first.recordSpeed(small, { read: 71, written: 9 }); // The change is too small to be written.
    first.recordSpeed(modelOf('small', 'b2'), { read: 700, written: 90 });
    await expect
      .poll(() => readKnownModel(folder, { name: 'ollama/small', digest: 'b2' }))
      .toEqual({ lacks: [], speed: { read: 700, written: 90 } });
    const later = await openKnownModels(folder);
    expect(later.lacks(small, 'tools')).toBe(true);
    expect(later.speedOf(small)).toEqual({ read: 70, written: 9 });
    expect(later.speedOf(modelOf('small', 'c3'))).toBeNull();
    expect(await readKnownModel(folder, { name: 'ollama/small', digest: null })).toMatchObject({ lacks: ['tools'] });
  });

  it.each([
    ['no file', null],
    ['no object', encodeChecked('7')],
    [
      'another form',
      encodeChecked(JSON.stringify({ 'ollama/small@a1': ['tools'], b: null, c: { speed: { read: -1 } } })),
    ],
    ['a changed byte', encodeChecked('{}').replace('{', '[')],
  ])('are empty for %s', async (_, content) => {
    const folder = folderFor();
    if (content !== null) writeFileSync(join(folder, 'models.json'), content);
    const known = await openKnownModels(folder);
    expect([known.lacks(small, 'tools'), known.speedOf(small)]).toEqual([false, null]);
    known.recordLack(small, 'tools');
    await expect.poll(() => readFileSync(join(folder, 'models.json'), 'utf8')).toContain('tools');
  });
});
