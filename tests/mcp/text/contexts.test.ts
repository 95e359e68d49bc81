import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfiguration } from '../../../src/index.ts';
import { createContexts, type NamedContext } from '../../../src/mcp/text/contexts.ts';
import { chunkText } from '../../../src/mcp/text/documents.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const configuration = loadConfiguration({ env: { HOME: '/nowhere' }, cwd: '/' });
const { signal } = new AbortController();

it('replaces the least recently used shared context by a further one', async () => {
  const contexts = createContexts(configuration, true);
  const names: string[] = [];
  for (let count = 0; count < 100; count++)
    names.push((await contexts.load('text', 'content', [{ name: 'text', text: `text ${count}` }], signal)).name);
  expect(new Set(names).size).toBe(100);
  await contexts.use(names[0]!, async () => {});
  await contexts.load('text', 'content', [{ name: 'text', text: 'one more' }], signal);
  await expect(contexts.use(names[1]!, async () => {})).rejects.toMatchObject({ code: 'context_not_found' });
  expect(await contexts.use(names[0]!, async ({ lines }) => lines)).toBe(1);
  await contexts.close();
});

it('refuses more than a hundred of one client, which may load into one of them again', async () => {
  const contexts = createContexts(configuration, false);
  const load = (name: string) => contexts.load(name, 'content', [{ name, text: 'text' }], signal);
  for (let count = 0; count < 100; count++) await load(`text-${count}`);
  await expect(load('one-more')).rejects.toThrow('There are already 100 contexts');
  expect((await load('text-5')).name).toBe('text-5');
  await contexts.close();
});

it('keeps whether a text was extracted from a file', async () => {
  vi.stubEnv('RLM_HOME', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = { name: 'page', text: Buffer.from('<html><body><p>Owls are brown.</p></body></html>') };
  const extracted = async (named: NamedContext) => {
    named.chunks = [{ document: 0, startLine: 1, endLine: 1, startByte: 0, endByte: 4, length: 4 }];
    const piece = chunkText(named, 0);
    return [named.context.documents[0]!.isExtracted, 'documents' in piece && piece.documents[0]!.isExtracted];
  };
  const first = createContexts(configuration, false);
  expect(await extracted(await first.load('text', 'page', [page], signal))).toEqual([true, true]);
  await first.keep('text');
  await first.close();
  const second = createContexts(configuration, false);
  expect(await second.use('text', extracted)).toEqual([true, true]);
  await second.close();
});

const textOf = (text: string) => [{ name: 'text', text }];
const found = async ({ context }: NamedContext) => (await context.search('pool')).matches.map(({ text }) => text);

it('closes a replaced context when nothing uses it any more', async () => {
  const contexts = createContexts(configuration, false);
  const { context } = await contexts.load('text', 'content', textOf('the old pool'), signal);
  const close = vi.spyOn(context, 'close');
  const searches = [1, 2].map(() =>
    contexts.use('text', async (named) => {
      await contexts.load('text', 'content', textOf('the new pool'), signal);
      expect(close).not.toHaveBeenCalled();
      return found(named);
    }),
  );
  expect(await Promise.all(searches)).toEqual([['the old pool'], ['the old pool']]);
  expect(close).toHaveBeenCalledOnce();
  expect(await contexts.use('text', found)).toEqual(['the new pool']);
  await contexts.close();
});

it('opens a kept context once for all users, and does not replace one that was loaded meanwhile', async () => {
  vi.stubEnv('RLM_HOME', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const first = createContexts(configuration, false);
  await first.load('text', 'content', textOf('the kept pool'), signal);
  await first.keep('text');
  await first.close();
  const contexts = createContexts(configuration, false);
  const all = await Promise.all(
    [1, 2, 3].map(() => contexts.use('text', async (named) => [named, await found(named)])),
  );
  expect(new Set(all.map(([named]) => named)).size).toBe(1);
  expect(all.map(([, lines]) => lines)).toEqual(Array.from({ length: 3 }, () => ['the kept pool']));
  await contexts.close();
  const opening = contexts.use('text', found);
  await contexts.load('text', 'content', textOf('the new pool'), signal);
  await opening;
  expect(await contexts.use('text', found)).toEqual(['the new pool']);
  await contexts.close();
});
