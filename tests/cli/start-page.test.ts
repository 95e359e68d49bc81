import { afterEach, expect, it, vi } from 'vitest';
import { runStartPage } from '../../src/cli/actions/help.ts';
import { startOllamaServer } from '../servers/ollama-server.ts';

afterEach(() => vi.unstubAllEnvs());

async function pageWith(env: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  let page = '';
  const stdout = {
    write: (text: string) => {
      page += text;
    },
    style: (_: string, text: string) => text,
  };
  expect(await runStartPage(stdout, 60_000)).toBe(0);
  expect(page.match(/^ {2}\$ .*rlm "/gm)).toHaveLength(3);
  expect(page.split('\n').length).toBeLessThan(24);
  return page;
}

it('says how the machine stands, or what to type', async () => {
  const server = await startOllamaServer({ reply: () => '' });
  const OLLAMA_HOST = server.url;
  try {
    expect(await pageWith({ OLLAMA_HOST })).toContain('This machine: Ollama is running and has qwen2.5-coder:14b.\n');
    const missing = await pageWith({ OLLAMA_HOST, RLM_MODEL: 'other:1b' });
    expect(missing).toMatch(/This machine: .*"other:1b".*\n {2}.*ollama pull other:1b/);
  } finally {
    await server.close();
  }
  expect(await pageWith({ RLM_MODEL: 'openai/x' })).toContain('the provider is openai. To check whether it is ready');
});

it('says that quotes answer where nothing runs', async () => {
  const page = await pageWith({ OLLAMA_HOST: 'http://127.0.0.1:1' });
  expect(page).toMatch(/does not answer at .*; without it, answers are quotes from the text\.\n {2}Start it with/);
});
