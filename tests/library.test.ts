/** Uses the library as another program does, without a model. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  addToIndex,
  ask,
  type CallOptions,
  type Claim,
  type Configuration,
  type Context,
  type ContextOptions,
  clearCache,
  describeCache,
  type ErrorInfo,
  examineSetup,
  type Files,
  followUp,
  indexNames,
  inspectModel,
  listIndexes,
  listRuns,
  loadConfiguration,
  type ModelReply,
  openContext,
  openFiles,
  type Provider,
  pruneRuns,
  query,
  queryTables,
  type Result,
  type RlmError,
  removeIndexes,
  removeRuns,
  renderReport,
  renderResult,
  type SearchResult,
  searchRuns,
  showRun,
  updateIndex,
} from '../src/index.ts';
import { tempFolder } from './support/temp-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every name that src/index.ts exports. */
const names = [...readFileSync(join(root, 'src/index.ts'), 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(
  ([, list]) => list!.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
);

const filesIn = (folder: string, end: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(root, folder, name));

function home() {
  const cwd = tempFolder({ 'a.md': 'The pool was exhausted at noon.\n', 'b.csv': 'id,total\n1,10\n2,20\n' });
  return { cwd, env: { HOME: cwd, RLM_HOME: join(cwd, '.state'), RLM_PROVIDER: 'extractive' } };
}

describe('the library', () => {
  it('exports at most 70 names, each explained in docs/library.md', () => {
    const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
    expect(names.length).toBeLessThanOrEqual(70);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });

  it('exports no name that neither a test nor an example uses', () => {
    const files = [...filesIn('tests', '.ts'), ...filesIn('examples', '.mjs')];
    const taken = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(/import (?:type )?\{([^}]*)\} from '(?:[./]*src\/index\.ts|rlm)'/g),
      ].flatMap(([, list]) => list!.split(',').map((name) => name.replace(/\btype\b/, '').trim())),
    );
    expect(names.filter((name) => !taken.includes(name))).toEqual([]);
  });

  it('records runs, which are listed, found, followed, shown in reports and removed', async () => {
    const place = home();
    const paths = ['a.md'];
    const first: Result = await ask('When was the pool exhausted?', { ...place, paths, resumable: true });
    const second = await followUp('And why?', first.runId, { ...place, resumable: true });
    expect((await listRuns(place)).map(({ runId }) => runId)).toEqual([second.runId, first.runId]);
    expect((await searchRuns('exhausted', place)).map(({ runId }) => runId)).toContain(first.runId);
    expect(await showRun(first.runId, place)).toMatchObject({ runId: first.runId, result: { answer: first.answer } });
    expect((await renderReport(first.runId, 'markdown', place)).text).toContain('a.md:1');
    expect((await renderReport(first.runId, 'html', place)).runId).toBe(first.runId);
    expect(await renderResult({ result: first, trajectory: null }, 'junit')).toContain('<testcase ');
    const form = 'pdf' as 'html';
    await expect(renderResult({ result: first, trajectory: null }, form)).rejects.toMatchObject({ code: 'usage' });
    const claims: readonly Claim[] = first.claims;
    expect(claims.every(({ text }) => first.answer!.includes(text))).toBe(true);
    expect(await removeRuns([second.runId!], place)).toBe(1);
    expect(await pruneRuns({ ...place, olderThanMs: -60_000 })).toMatchObject({ runs: [first.runId] });
  });

  it('keeps indexes and a cache, by a configuration', async () => {
    const place = home();
    const configuration: Configuration = loadConfiguration(place);
    await addToIndex('notes', ['a.md'], configuration);
    expect(await updateIndex('notes', configuration)).toMatchObject({ files: { kept: 1 } });
    expect(await indexNames(configuration)).toEqual(['notes']);
    expect(await listIndexes(configuration)).toMatchObject([{ name: 'notes', documents: 1 }]);
    await removeIndexes(['notes'], configuration);
    expect(await indexNames(configuration)).toEqual([]);
    expect(await describeCache(configuration)).toMatchObject({ entries: 0 });
    expect(await clearCache(configuration)).toMatchObject({ entries: 0 });
  });

  it('opens text to search and to query, and files for untrusted callers', async () => {
    const { cwd, env } = home();
    const options: ContextOptions = { paths: ['.'], cwd, env };
    const context: Context = await openContext(options);
    const found: SearchResult = await context.search('exhausted');
    expect(found.matches.map(({ source }) => source)).toEqual(['a.md']);
    await context.close();
    expect((await query('select sum(total) from b', options)).rows).toEqual([[30]]);
    expect((await queryTables(options)).tables.map(({ name }) => name)).toContain('b');
    const files: Files = await openFiles({ roots: ['a.md'], cwd });
    const refused = await files.find('/etc/passwd').catch(({ code }: ErrorInfo) => code);
    expect(refused).toBe('input-missing');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const { find } = await openFiles({ roots: ['.'], cwd });
    await expect(find('pipe')).rejects.toThrow('pipe cannot be read: it is a pipe, no regular file');
  });

  it('distinguishes a file that a path names from the files of a folder', async () => {
    const cwd = tempFolder({ 'docs/scan.png': 'x', 'docs/docs': 'y' });
    const walked = async (root: string, path: string) =>
      (await (await openFiles({ roots: [root], cwd })).find(path)).map(({ name, isWalked }) => [name, isWalked]);
    for (const root of ['docs', '.']) {
      expect(await walked(root, 'docs/scan.png')).toEqual([['docs/scan.png', false]]);
      expect(await walked(root, 'docs/*.png')).toEqual([['docs/scan.png', false]]);
    }
    expect(await walked('.', 'docs')).toEqual([
      ['docs/docs', true],
      ['docs/scan.png', true],
    ]);
  });

  it('distinguishes two documents of one name', async () => {
    const texts = ['one pool\n', 'two pools\n', 'three pools\n'];
    const context = await openContext({ ...home(), documents: texts.map((text) => ({ name: 'a.md', text })) });
    const { matches } = await context.search('pool');
    await context.close();
    expect(matches.map(({ source }) => source)).toEqual(['a.md', 'a (2).md', 'a (3).md']);
  });

  it('states what a run needs, and accepts a provider of the program', async () => {
    const place = home();
    expect(await examineSetup(place)).toMatchObject({ answersWith: 'extractive' });
    expect(await inspectModel('extractive', loadConfiguration(place))).toMatchObject({ spends: 'nothing' });
    const info = await inspectModel('extractive', loadConfiguration(place));
    const call = async (_: unknown, { signal }: CallOptions): Promise<ModelReply> => {
      signal.throwIfAborted();
      return { text: '{"answer": "Noon."}', toolCalls: [], tokens: null, finish: 'stop' };
    };
    const provider = { name: 'own', inspect: async () => ({ ...info, model: 'm', answersWithoutText: true }), call };
    expect(await ask('When?', { ...place, provider })).toMatchObject({ provider: 'own', answer: 'Noon.' });
  });

  it('accepts a plain provider without the optional fields, and names any other missing one', async () => {
    const info = { model: 'm', maxWindowTokens: 8_000, spends: 'tokens', answersWithoutText: true };
    const askWith = async (inspected: unknown, reply: unknown) => {
      const provider = { name: 'own', inspect: async () => inspected, call: async () => reply } as unknown as Provider;
      const found = await ask('When?', { ...home(), provider }).catch((error: RlmError) => ({ answer: null, error }));
      return found.answer ?? `${found.error?.code}: ${found.error?.message}`;
    };
    expect(await askWith(info, { text: 'ANSWER: Noon.' })).toBe('Noon.');
    const { spends: _, ...rest } = info;
    for (const [inspected, reply, named] of [
      [undefined, {}, 'its "inspect" returned no object'],
      [rest, {}, '"spends" must be'],
      [{ ...info, model: 3 }, {}, '"model" must be a string'],
      [{ ...info, maxWindowTokens: undefined }, {}, '"maxWindowTokens" must be a number'],
      [{ ...info, callsAtOnce: 0 }, {}, '"callsAtOnce" must be a number'],
      [info, 'Noon.', 'its "call" returned no object'],
      [info, { answer: 'Noon.' }, 'the "text" of a reply must be a string'],
    ] as const)
      expect(await askWith(inspected, reply)).toContain(`usage: the provider "own" cannot be used: ${named}`);
  });
});
