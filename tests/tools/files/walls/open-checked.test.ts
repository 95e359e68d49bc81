import { closeSync, openSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../support/temp-folder.ts';

const noFollowAny = 0x2000_0000;
const here = process.platform;

/** Creates an opener that simulates another system and records its flags. */
async function openOn(platform: NodeJS.Platform) {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.resetModules();
  const flags: number[] = [];
  vi.doMock('node:fs', async (original) => ({
    ...(await original<typeof import('node:fs')>()),
    openSync: (path: string, wanted: number) => {
      flags.push(wanted);
      return openSync(path, wanted & ~noFollowAny);
    },
  }));
  const { openChecked } = await import('../../../../src/tools/files/walls/open-checked.ts');
  return { openChecked, flags };
}

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: here });
  vi.doUnmock('node:fs');
  vi.resetModules();
});

describe('a file that is opened and checked', () => {
  it.each([
    ['darwin', true],
    ['linux', false],
    ['freebsd', false],
  ] as const)('on %s is at its path, and the system is asked to follow no link: %s', async (platform, asks) => {
    const folder = tempFolder({ 'in/a.txt': 'inside' });
    const { openChecked, flags } = await openOn(platform);
    for (const [path, kind] of [
      ['in/a.txt', 'file'],
      ['in', 'folder'],
    ] as const) {
      const checked = openChecked(join(folder, path), kind)!;
      expect(checked.real).toBe(join(folder, path));
      closeSync(checked.descriptor);
    }
    expect(flags.map((flag) => (flag & noFollowAny) !== 0)).toEqual([asks, asks]);
  });

  it.each(['linux', 'freebsd'] as const)(
    'on %s is reported as outside if a folder has become a link',
    async (platform) => {
      const folder = tempFolder({ 'out/a.txt': 'outside', 'in/b.txt': 'inside' });
      symlinkSync('../out', join(folder, 'in/sub'));
      const { openChecked } = await openOn(platform);
      const checked = openChecked(join(folder, 'in/sub/a.txt'), 'file')!;
      expect(checked.real).toBe(join(folder, 'out/a.txt'));
      closeSync(checked.descriptor);
    },
  );
});
