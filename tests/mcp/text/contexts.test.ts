import { expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/index.ts';
import { createContexts } from '../../../src/mcp/text/contexts.ts';

const configuration = loadConfiguration({ env: { HOME: '/nowhere' }, cwd: '/' });
const { signal } = new AbortController();

it('makes room for a further shared context by the one that was used longest ago', async () => {
  const contexts = createContexts(configuration, true);
  const names: string[] = [];
  for (let count = 0; count < 100; count++)
    names.push((await contexts.load('text', 'content', [{ name: 'text', text: `text ${count}` }], signal)).name);
  expect(new Set(names).size).toBe(100);
  await contexts.get(names[0]!);
  await contexts.load('text', 'content', [{ name: 'text', text: 'one more' }], signal);
  await expect(contexts.get(names[1]!)).rejects.toMatchObject({ code: 'context_not_found' });
  expect((await contexts.get(names[0]!)).lines).toBe(1);
  await contexts.close();
});

it('refuses more than a hundred of one client, who may load into one of them again', async () => {
  const contexts = createContexts(configuration, false);
  const load = (name: string) => contexts.load(name, 'content', [{ name, text: 'text' }], signal);
  for (let count = 0; count < 100; count++) await load(`text-${count}`);
  expect(() => load('one-more')).toThrow('There are already 100 contexts');
  expect((await load('text-5')).name).toBe('text-5');
  await contexts.close();
});
