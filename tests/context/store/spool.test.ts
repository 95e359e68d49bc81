import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSpool } from '../../../src/context/store/spool.ts';
import { tempFolder } from '../../support/temp-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The folder for temporary files. */
function temporaryFolder(): string {
  const folder = tempFolder();
  vi.stubEnv('TMPDIR', folder);
  return folder;
}

describe('a spool', () => {
  it('returns the added bytes, wherever they are stored', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.nat(100), (pieces, memoryBytes) => {
        const spool = createSpool(memoryBytes);
        const starts = pieces.map((piece) => spool.append(piece));
        const whole = Buffer.concat(pieces);
        expect(spool.size()).toBe(whole.length);
        expect(spool.read(0, whole.length)).toEqual(whole);
        for (const [index, piece] of pieces.entries()) {
          expect(spool.read(starts[index]!, starts[index]! + piece.length)).toEqual(Buffer.from(piece));
        }
        spool.close();
      }),
    );
  });

  it('continues from where it was truncated', () => {
    for (const memoryBytes of [2, 100]) {
      const spool = createSpool(memoryBytes);
      spool.append(Buffer.from('abcdef'));
      spool.truncate(2);
      spool.append(Buffer.from('XY'));
      expect(spool.read(0, 4).toString()).toBe('abXY');
      spool.close();
    }
  });

  it('leaves no file behind, even while it is used', () => {
    const folder = temporaryFolder();
    const spool = createSpool(10);
    spool.append(Buffer.alloc(100));
    expect(readdirSync(folder)).toEqual([]);
    spool.close();
  });

  it('removes the files of an ended process, and nothing else', () => {
    const folder = temporaryFolder();
    const mine = `rlm-spool-${process.pid}-1`;
    for (const name of ['rlm-spool-999999999-1', mine, 'notes']) writeFileSync(join(folder, name), 'x');
    const spool = createSpool(0);
    spool.append(Buffer.alloc(1));
    expect(readdirSync(folder).sort()).toEqual(['notes', mine]);
    spool.close();
  });

  it('says what to do if there is no space', () => {
    vi.stubEnv('TMPDIR', join(tempFolder(), 'missing'));
    expect(() => createSpool(0).append(Buffer.alloc(1))).toThrow(
      expect.objectContaining({
        code: 'no-space',
        message: expect.stringContaining('ENOENT'),
        hint: expect.stringContaining('TMPDIR'),
      }),
    );
  });
});
