import { describe, expect, it } from 'vitest';
import { ask, openContext, type RunEvent, resume } from '../../src/index.ts';
import { createGate } from '../support/gate.ts';
import { tempFolder } from '../support/temp-folder.ts';

const env = { HOME: '/dev/null/nowhere' };

describe('a context', () => {
  it('is described, searched and read, and lists skipped files', async () => {
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
    const closed = { code: 'usage' };
    for (const use of [
      () => context.search('pool'),
      () => context.places('pool'),
      () => context.passages('pool'),
      () => context.query('select count(*) from lines'),
      () => context.tables(),
      async () => context.describe(),
      async () => context.peek({ document: 'given', startLine: 1, endLine: 1 }),
      async () => context.read(0, 0, 3),
      async () => context.chunks,
    ])
      await expect(use()).rejects.toMatchObject(closed);
  });

  it('serves several runs without being read again, even if it is closed meanwhile', async () => {
    let reads = 0;
    async function* text() {
      reads += 1;
      yield Buffer.from('The pool was lowered from 40 to 4 connections.\n');
    }
    const cwd = tempFolder({ 'a.md': 'The queue holds 100 orders.\n' });
    const home = { HOME: cwd, RLM_HOME: tempFolder() };
    const context = await openContext({ documents: [{ name: 'given', text: text() }], paths: ['a.md'], cwd, env });
    const options = { context, settings: { provider: 'extractive' }, env: home, resumable: true } as const;
    const asked = ['How many connections has the pool?', 'How many orders does the queue hold?'];
    const begun = createGate(3);
    const onEvent = ({ type }: RunEvent) => void (type === 'run.started' && begun());
    const runs = asked.map((question) => ask(question, { ...options, onEvent }));
    await begun();
    await context.close();
    const results = await Promise.all(runs);
    expect(results.map(({ citations }) => citations[0]?.source)).toEqual(['given', 'a.md']);
    expect(reads).toBe(1);
    await expect(ask('Why?', options)).rejects.toMatchObject({ code: 'usage' });
    await expect(ask('Why?', { ...options, paths: ['a.md'] })).rejects.toMatchObject({ code: 'usage' });
    // The run's record contains the given text, and the paths with their base folder.
    expect(await resume(results[1]!.runId, { env: home })).toMatchObject({ answer: results[1]!.answer });
  });

  it('may be empty', async () => {
    const context = await openContext({ env });
    expect(context.describe().documents).toBe(0);
    expect(await context.search('a')).toEqual({ matches: [], more: 0, isComplete: true });
  });

  it('refuses what `ask` refuses, and a cancelled search', async () => {
    const cwd = tempFolder();
    await expect(openContext({ paths: ['gone'], cwd, env })).rejects.toMatchObject({ code: 'input-missing' });
    const context = await openContext({ documents: [{ name: 'a', text: 'a' }], env });
    await expect(context.search('a', { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    await expect(context.search('a', { limit: -1 })).rejects.toMatchObject({ code: 'usage' });
  });
});
