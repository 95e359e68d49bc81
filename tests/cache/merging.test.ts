import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createScriptedProvider, RlmError, resume } from '../../src/index.ts';
import {
  type Asked,
  askScripted,
  decomposing,
  part,
  type Script,
  splitInto,
  variables,
} from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cold = { planner: 0, assess: 0, decompose: 0, answer: 0, compose: 0, critic: 0 };

/** Replies that make two parts ask the same question concurrently. */
const twins = splitInto(part('How large was it?'), part('How large was it?'));

const split = (settings: object, script: Script = {}, parts = twins): Promise<Asked> =>
  askScripted({ ...parts, ...script }, { settings: { ...decomposing.settings, ...settings } });

const times = ({ prompts }: Asked, wanted: string) => prompts.filter((prompt) => prompt === wanted).length;
const reused = ({ events }: Asked) => events.filter((event) => event.type === 'call.reused');

describe('identical calls of a run', () => {
  it.each([
    ['temperature 0', { temperatures: cold }],
    ['a seed', { seed: 7 }],
  ])('are one call with %s', async (_, settings) => {
    const asked = await split(settings);
    expect([times(asked, 'assess'), times(asked, 'answer')]).toEqual([1, 1]);
    expect(asked.result).toMatchObject({ status: 'answered', usage: { calls: 5, cacheHits: 2 } });
    expect(asked.result.recursionTree?.children.map(({ calls, cacheHits }) => [calls, cacheHits])).toEqual([
      [2, 0],
      [0, 2],
    ]);
    expect(reused(asked)).toMatchObject([
      { path: '0.2', prompt: 'assess', from: 'run' },
      { path: '0.2', prompt: 'answer', from: 'run' },
    ]);
  });

  it('are independent samples otherwise', async () => {
    const asked = await split({});
    expect([times(asked, 'assess'), times(asked, 'answer')]).toEqual([2, 2]);
    expect(asked.result.usage).toMatchObject({ calls: 7, cacheHits: 0 });
  });

  it('are merged for each prompt: only if its temperature is 0', async () => {
    const asked = await split({ temperatures: { answer: 0 } });
    expect([times(asked, 'assess'), times(asked, 'answer')]).toEqual([2, 1]);
  });

  it('are one call when the first has long ended', async () => {
    const parts = splitInto(part('How large was it?'), part('What came next?', 1), part('How large was it?'));
    const asked = await split({ seed: 7 }, {}, parts);
    expect(asked.of('answer').filter(({ question }) => question === 'How large was it?')).toHaveLength(1);
  });

  it('are also one call with a cache on disk', async () => {
    const env = { HOME: tempFolder() };
    const options = { env, settings: { ...decomposing.settings, cache: { enabled: true } } };
    const asked = await askScripted(twins, options);
    expect(times(asked, 'answer')).toBe(1);
    expect(asked.result.usage.cacheHits).toBe(2);
  });

  it('differ when the known answers differ', async () => {
    const parts = splitInto(part('Where?'), part('How large was it?'), part('How large was it?', 1));
    const asked = await split({ seed: 7 }, {}, parts);
    expect(asked.of('answer').filter(({ question }) => question === 'How large was it?')).toHaveLength(2);
  });

  it('are charged to the budget once', async () => {
    const parts = splitInto(...Array.from({ length: 5 }, () => part('How large was it?')));
    const asked = await split({ seed: 7, budget: { maxCalls: 7, maxDepth: 1 } }, {}, parts);
    expect(asked.result).toMatchObject({ status: 'answered', error: null, usage: { calls: 4, cacheHits: 4 } });
    const each = await split({ budget: { maxCalls: 7, maxDepth: 1 } }, {}, parts);
    expect(each.result.error).toMatchObject({ code: 'limit-calls' });
  });

  it('make their own call when the other one fails', async () => {
    const asked = await split(
      { seed: 7 },
      { answer: [new RlmError('request-refused', 'no'), { answer: 'It was 20.', citations: [], assumptions: [] }] },
    );
    expect(times(asked, 'answer')).toBe(2);
    const [first, second] = asked.result.recursionTree!.children;
    expect(first).toMatchObject({ status: 'unanswered', error: { code: 'request-refused' } });
    expect(second).toMatchObject({ status: 'answered', answer: 'It was 20.', error: null });
  });

  it('are as many failures if they fail every time, and they end', async () => {
    const asked = await split({ seed: 7 }, { answer: () => new RlmError('request-refused', 'no') });
    expect(times(asked, 'answer')).toBe(2);
    expect(asked.result).toMatchObject({ status: 'failed', error: { code: 'request-refused' } });
  });

  it('also share a repair turn', async () => {
    const answers = ['', { answer: 'It was 20.', citations: [], assumptions: [] }];
    const asked = await split({ seed: 7 }, { answer: answers });
    expect(times(asked, 'answer')).toBe(2);
    expect(asked.result.recursionTree!.children.map(({ answer }) => answer)).toEqual(['It was 20.', 'It was 20.']);
  });

  it('may be cancelled independently', async () => {
    const controller = new AbortController();
    const answer = (request: Parameters<typeof variables>[0]) =>
      new Promise<string>(() => {
        expect(variables(request, 'answer').question).toBe('How large was it?');
        setTimeout(() => controller.abort(new RlmError('interrupted', 'enough')), 5);
      });
    const { result } = await askScripted(
      { ...twins, answer },
      { settings: { ...decomposing.settings, seed: 7 }, signal: controller.signal },
    );
    expect(result).toMatchObject({ status: 'cancelled', error: { code: 'interrupted' } });
  });

  it('are also one call when the first was made before the run was resumed', async () => {
    const state = tempFolder();
    const env = { HOME: '/nowhere', RLM_HOME: state };
    const settings = { ...decomposing.settings, seed: 7 };
    const { result } = await askScripted(twins, { settings, env, resumable: true });
    const journal = join(state, 'runs', readdirSync(join(state, 'runs'))[0]!, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    const interrupted = lines.filter((line) => !line.includes('"place":"0.2 ') && !line.includes('"type":"end"'));
    expect(interrupted).toHaveLength(lines.length - 3);
    writeFileSync(journal, interrupted.join('\n'));
    const provider = createScriptedProvider([]);
    const resumed = await resume(null, { env, provider });
    expect(provider.requests).toEqual([]);
    expect(resumed).toMatchObject({ status: 'answered', answer: result.answer });
    expect(resumed.usage).toMatchObject({ calls: 5, replayedCalls: 5, cacheHits: 2 });
  });
});
