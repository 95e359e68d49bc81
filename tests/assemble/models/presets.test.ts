import { afterAll, describe, expect, it } from 'vitest';
import { lookForPresets, presetNames, resolvePreset } from '../../../src/assemble/models/presets.ts';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { startOllamaServer } from '../../servers/ollama-server.ts';

const tiers = (name: string) => ({ best: `${name}/best`, middle: `${name}/middle`, small: `${name}/small` });
type Surroundings = Parameters<typeof resolvePreset>[1];
const nothing: Surroundings = { local: [], hosted: [] };
const local = { ...nothing, local: ['ollama/big', 'ollama/small'] };
const hosted = { ...nothing, hosted: [tiers('anthropic'), tiers('openai')] };
const prices = { 'anthropic/middle': { input: 3, output: 15 }, 'openai/middle': { input: 1, output: 2 } };

const resolve = (name: (typeof presetNames)[number], found: Surroundings) => resolvePreset(name, found, prices);

describe('a preset', () => {
  it.each<[(typeof presetNames)[number], Surroundings, string | null, string | null]>([
    ['fully-local', local, 'ollama/big', 'ollama/small'],
    ['fully-local', hosted, null, null],
    ['cost-optimized', { ...hosted, ...local, hosted: hosted.hosted }, 'ollama/big', 'ollama/small'],
    ['cost-optimized', hosted, 'openai/middle', 'openai/small'],
    ['speed-optimized', hosted, 'openai/small', 'openai/small'],
    ['speed-optimized', local, 'ollama/small', 'ollama/small'],
    ['quality-first', { ...local, hosted: hosted.hosted }, 'anthropic/best', 'anthropic/middle'],
    ['quality-first', local, 'ollama/big', 'ollama/big'],
  ])('%s chooses among the available models', async (name, found, main, recursive) => {
    expect(await resolve(name, found)).toMatchObject({ name, main, recursive });
  });

  it.each(presetNames)('%s has no model if none is available', async (name) => {
    expect(await resolve(name, nothing)).toMatchObject({ main: null, recursive: null });
  });
});

const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const choiceFor = (host: string) =>
  loadConfiguration({
    env: { HOME: '/dev/null/nowhere' },
    cwd: import.meta.dirname,
    settings: new Map([['ollama.host', host]]),
  });

describe('the models for presets', () => {
  it('are those of a local server that can chat and run there; none of them is asked', async () => {
    const embedding = { name: 'nomic-embed-text', capabilities: ['embedding'] };
    const models = ['b:1', 'a:1', 'gpt-oss:120b-cloud', embedding];
    const server = await startOllamaServer({ models, reply: () => '' });
    servers.push(server);
    const found = await lookForPresets(choiceFor(server.url), new AbortController().signal);
    expect(found.local).toEqual(['ollama/a:1', 'ollama/b:1']);
    expect(found.looked[0]).toContain('2 models that can chat');
    expect(server.requests).toEqual([]);
  });

  it('are none without a server', async () => {
    const found = await lookForPresets(choiceFor('http://127.0.0.1:1'), new AbortController().signal);
    expect(found).toMatchObject({ local: [], hosted: [] });
    expect(found.looked[0]).toContain('does not answer');
  });
});
