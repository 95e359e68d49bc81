import { describe, expect, it } from 'vitest';
import { openContext } from '../../src/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const env = { HOME: '/dev/null/nowhere' };

describe('a context', () => {
  it('is described, searched and looked into, and says what was skipped', async () => {
    const cwd = tempFolder({ 'notes/a.md': '# Pool\nIt was limited to 20.\n', 'notes/empty.md': '' });
    const documents = [{ name: 'given', text: 'The pool ran out.\n' }];
    const context = await openContext({ paths: ['notes'], documents, cwd, env });
    expect(context.describe().listed.map(({ name, kind }) => [name, kind])).toEqual([
      ['given', 'text'],
      ['notes/a.md', 'Markdown'],
    ]);
    const { matches } = await context.search('pool', { ignoreCase: true });
    expect(matches.map(({ source, line }) => [source, line])).toEqual([
      ['given', 1],
      ['notes/a.md', 1],
    ]);
    expect(context.peek({ document: 'notes/a.md', startLine: 2, endLine: 2 }).text).toBe('It was limited to 20.\n');
    expect(context.warnings).toEqual([expect.stringContaining('1 empty')]);
    await context.close();
  });

  it('may hold nothing', async () => {
    const context = await openContext({ env });
    expect(context.describe().documents).toBe(0);
    expect(await context.search('a')).toEqual({ matches: [], more: 0, isComplete: true });
  });

  it('refuses what `ask` refuses, and a search that was cancelled', async () => {
    const cwd = tempFolder();
    await expect(openContext({ paths: ['gone'], cwd, env })).rejects.toMatchObject({ code: 'input-missing' });
    const context = await openContext({ documents: [{ name: 'a', text: 'a' }], env });
    await expect(context.search('a', { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    await expect(context.search('a', { limit: -1 })).rejects.toMatchObject({ code: 'usage' });
  });
});
