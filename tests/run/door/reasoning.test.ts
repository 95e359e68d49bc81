/** Tests the setting `reasoning` in whole runs: by prompt, in the budget, in the record, and in repeated requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, RlmError } from '../../../src/index.ts';
import type { ModelRequest, Reasoning } from '../../../src/providers/provider.ts';
import { OnlyThought } from '../../../src/providers/thinking.ts';
import { startOpenAiServer } from '../../servers/openai-server.ts';
import { askScripted, long, short } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const onlyThought = () =>
  new RlmError('reply-unusable', 'it thought', { cause: new OnlyThought({ input: 100, output: 900 }) });
const levelsOf = (requests: readonly ModelRequest[], prompt: string) => [
  ...new Set(requests.filter(({ input }) => input.prompt === prompt).map(({ reasoning }) => reasoning)),
];
const answer = { answer: 'It ran out.', citations: [], assumptions: [] };

describe('the setting', () => {
  it.each([
    ['auto', null],
    ['none', 'none'],
    ['medium', 'medium'],
  ])('%s applies to prompts that need thought, and not to pieces of a scan', async (reasoning, expected) => {
    const settings = { strategy: 'scan', reasoning } as never;
    const { requests } = await askScripted({ scan: { findings: [] } }, { documents: long, settings } as never);
    expect(levelsOf(requests, 'planner')).toEqual([expected]);
    expect(levelsOf(requests, 'scan')).toEqual(['none']);
  });

  it('gives the reply room for thinking in addition to its own limit', async () => {
    const { requests } = await askScripted({}, { settings: { reasoning: 'low', reply: { maxTokens: 500 } } as never });
    expect(requests[1]).toMatchObject({ reasoning: 'low', maxOutputTokens: 500 + 1_024 });
  });
});

describe('a reply of nothing but thinking', () => {
  it.each<[string, Reasoning | 'auto', (Reasoning | null)[]]>([
    ['as the model does', 'auto', [null, 'none']],
    ['with less', 'high', ['high', 'low']],
    ['without any', 'low', ['low', 'none']],
  ])('is requested once more: %s', async (_, reasoning, expected) => {
    const script = { answer: [onlyThought(), answer] };
    const { result, requests } = await askScripted(script, { settings: { reasoning } as never });
    expect(result).toMatchObject({ status: 'answered', answer: 'It ran out.' });
    expect(levelsOf(requests, 'answer')).toEqual(expected);
  });

  it('is not requested a third time, and not again if no lower level exists', async () => {
    const twice = await askScripted({ answer: onlyThought });
    expect(twice.calls.answer).toBe(2);
    expect(twice.result.error).toMatchObject({ code: 'reply-unusable' });
    const none = await askScripted({ answer: onlyThought }, { settings: { reasoning: 'none' } as never });
    expect(none.calls.answer).toBe(1);
  });

  it('is charged with the tokens that its server counted', async () => {
    const usual = await askScripted({ answer });
    const { result } = await askScripted({ answer: [onlyThought(), answer] });
    expect(result.usage.tokens.output - usual.result.usage.tokens.output).toBe(900);
    expect(result.usage.calls).toBe(usual.result.usage.calls + 1);
  });
});

describe('a recorded run', () => {
  async function record(chat: NonNullable<Parameters<typeof startOpenAiServer>[0]['chat']>) {
    const server = await startOpenAiServer({ chat });
    onTestFinished(() => server.close());
    const cwd = tempFolder();
    const settings = {
      provider: 'openai',
      model: 'local-model',
      openai: { baseUrl: server.url },
      stages: { critic: 'never' },
    } as never;
    const options = { documents: short, cwd, env: { HOME: cwd }, settings };
    const result = await ask('Why did it fail?', { ...options, record: 'run.jsonl' });
    return { result, recording: readFileSync(join(cwd, 'run.jsonl'), 'utf8'), options, server };
  }

  it('contains none of the thinking that a server leaves in the text, which counts as output', async () => {
    const thoughts = Array.from({ length: 300 }, (_, index) => `SECRETLY ${index * 7919}, ${index ** 3}.`);
    const { result, recording } = await record(() => `<think>${thoughts.join(' ')}</think>It ran out.`);
    expect(result.answer).toBe('It ran out.');
    expect(result.usage.tokens.output).toBeGreaterThan(1_000);
    expect(recording).toContain('It ran out.');
    expect(recording).not.toContain('SECRETLY');
  });

  it('is replayed if a reply was requested once more', async () => {
    const { result, options, server } = await record((_, index) => (index === 0 ? '<think>Hm, hm' : 'It ran out.'));
    expect(server.chats.map(({ body }) => body['reasoning_effort'])).toEqual([undefined, 'none']);
    const replayed = await ask('Why did it fail?', { ...options, replay: 'run.jsonl' });
    expect([result.answer, replayed.answer]).toEqual(['It ran out.', 'It ran out.']);
    expect(server.chats).toHaveLength(2);
  });
});

describe('thinking that a server leaves in the text', () => {
  it('is nothing but thinking if the tag is never closed', async () => {
    const { result, requests } = await askScripted({ answer: ['<think>Hm, hm', answer] });
    expect(result.answer).toBe('It ran out.');
    expect(levelsOf(requests, 'answer')).toEqual([null, 'none']);
  });
});
