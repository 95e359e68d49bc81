import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../../src/errors.ts';
import { createFileAccess } from '../../../../src/tools/files/walls/file-access.ts';
import type { FoundFile } from '../../../../src/tools/files/walls/walk.ts';
import { ToolError } from '../../../../src/tools/tool-error.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const open = (cwd: string, roots: readonly string[] = ['.']) => createFileAccess(roots, { cwd, unguarded: false });

describe('access to files', () => {
  it('is refused if a root does not exist', () => {
    const folder = tempFolder({ 'src/a.txt': 'x' });
    for (const root of ['scr', 'scr/*.ts', 'src/\0'])
      expect(() => open(folder, [root])).toThrow(expect.objectContaining({ code: 'input-missing' }) as RlmError);
    expect(() => open(folder, ['scr'])).toThrow(RlmError);
  });

  it('ends when another folder replaces a root', async () => {
    const folder = tempFolder({ 'root/a.txt': 'inside', 'other/a.txt': 'outside' });
    const access = open(folder, ['root']);
    (await access.open('root/a.txt')).close();
    renameSync(join(folder, 'root'), join(folder, 'old'));
    renameSync(join(folder, 'other'), join(folder, 'root'));
    await expect(access.open('root/a.txt')).rejects.toThrow(ToolError);
    const { files, passedBy } = await access.walk(null, everything());
    expect(await namesOf(files)).toEqual([]);
    expect(passedBy.unreadable).toBe(1);
  });

  it('continues if a root was given as a link', async () => {
    const folder = tempFolder({ 'real/a.txt': 'inside', 'real/sub/b.txt': 'inside' });
    symlinkSync('real', join(folder, 'link'));
    const access = open(folder, ['link']);
    const file = await access.open('link/a.txt');
    expect([file.name, file.bytes, file.read(2, 99).toString()]).toEqual(['link/a.txt', 6, 'side']);
    file.close();
    expect(await namesOf((await access.walk(null, everything())).files)).toEqual(['link/a.txt', 'link/sub/b.txt']);
    expect(await namesOf((await access.walk('link/sub', everything())).files)).toEqual(['link/sub/b.txt']);
  });

  it('includes nothing that the system generates while it is read, even if the root contains nothing else', async () => {
    const access = createFileAccess(['/'], { cwd: '/', unguarded: true });
    for (const path of [
      '/proc/self/environ',
      'proc/version',
      '/proc/self/root/proc/version',
      '/sys/kernel/notes',
      '/dev/null',
    ])
      await expect(access.open(path)).rejects.toThrow(/there is no/);
  });

  it('includes a found file only while it is the same file', async () => {
    const folder = tempFolder({ 'root/a.txt': 'inside', 'root/b.txt': 'inside', 'out.txt': 'outside' });
    const found: FoundFile[] = [];
    for await (const file of (await open(folder, ['root']).walk(null, everything())).files) found.push(file);
    renameSync(join(folder, 'root/a.txt'), join(folder, 'root/c.txt'));
    symlinkSync('../out.txt', join(folder, 'root/a.txt'));
    expect(() => found[0]!.open()).toThrow('ELOOP');
    renameSync(join(folder, 'root/b.txt'), join(folder, 'root/d.txt'));
    mkdirSync(join(folder, 'root/b.txt'));
    expect(found[1]!.open()).toBeNull();
  });

  it('stops walking through files when the run ends', async () => {
    const folder = tempFolder({ 'a.txt': 'x' });
    const stop = new AbortController();
    const { files } = await open(folder).walk(null, { ...everything(), signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(namesOf(files)).rejects.toThrow('stopped');
  });

  it('respects ignore files that are added to a folder before it is listed', async () => {
    const folder = tempFolder({ 'a.txt': 'x', 'b.log': 'x', 'sub/c.log': 'x' });
    writeFileSync(join(folder, '.rlmignore'), '*.log\n!sub/*.log');
    expect(await namesOf((await open(folder).walk(null, everything())).files)).toEqual(['a.txt', 'sub/c.log']);
  });
});

const everything = () => ({ hidden: false, sizes: false, signal: new AbortController().signal });

async function namesOf(files: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of files) names.push(name);
  return names;
}
