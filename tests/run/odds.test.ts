import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, createScriptedProvider, type ModelRequest, type Provider, type RunEvent } from '../../src/index.ts';
import { long, plan, sensible } from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Creates a model that reports the probabilities of its tokens on request, and records its requests. */
function createTellingProvider(): Provider & { readonly asked: ModelRequest[] } {
  const planned = plan({
    approach: 'decompose',
    keyQuestions: ['Which release was it?', 'What was the limit?'].map((question) => ({ question, needs: [] })),
  });
  const scripted = createScriptedProvider({ ...sensible, planner: planned });
  const asked: ModelRequest[] = [];
  const verdict = ['SIMPLE', 'COMPLEX'].map((token, index) => ({ token, logprob: Math.log(index === 0 ? 0.6 : 0.2) }));
  return {
    ...scripted,
    asked,
    async call(request, options) {
      asked.push(request);
      const reply = await scripted.call(request, options);
      const logprobs = [
        { token: '{"verdict":"', logprob: 0, alternatives: [] },
        { ...verdict[0]!, alternatives: verdict },
      ];
      return request.logprobs ? { ...reply, logprobs } : reply;
    },
  };
}

it('the assessment has the probability that a question is complex, and a replay has the same', async () => {
  const provider = createTellingProvider();
  const recording = join(tempFolder(), 'run.cassette');
  const events: RunEvent[] = [];
  const options = {
    documents: long,
    settings: { stages: { planner: 'always' } } as const,
    env: { HOME: '/dev/null/nowhere' },
    cwd: import.meta.dirname,
    onEvent: (event: RunEvent) => void events.push(event),
  };
  const first = await ask('What limited the pool?', { ...options, provider, record: recording });
  const again = await ask('What limited the pool?', { ...options, provider, replay: recording });

  const wanted = provider.asked.filter(({ logprobs }) => logprobs).map(({ input }) => input.prompt);
  expect(wanted).toEqual(['assess', 'assess']);
  for (const { recursionTree } of [first, again]) {
    const assessments = recursionTree!.children.map(({ assessment }) => assessment);
    expect(assessments).toEqual([
      { verdict: 'SIMPLE', reason: 'easy', probability: expect.closeTo(0.25) },
      { verdict: 'SIMPLE', reason: 'easy', probability: expect.closeTo(0.25) },
    ]);
  }
  const judged = events.flatMap((event) =>
    event.type === 'node.judged' && event.assessment ? [event.assessment] : [],
  );
  expect(judged.map(({ probability }) => probability)).toEqual(Array(4).fill(expect.closeTo(0.25)));
});

it('is unknown for a model that reports none', async () => {
  const { call, ...rest } = createTellingProvider();
  const silent: Provider = {
    ...rest,
    call: async (request, options) => call({ ...request, logprobs: false }, options),
  };
  const options = {
    documents: long,
    settings: { stages: { planner: 'always' } } as const,
    env: { HOME: '/dev/null/nowhere' },
    cwd: import.meta.dirname,
  };
  const { recursionTree } = await ask('What limited the pool?', { ...options, provider: silent });
  expect(recursionTree!.children[0]!.assessment).toEqual({ verdict: 'SIMPLE', reason: 'easy', probability: null });
});
