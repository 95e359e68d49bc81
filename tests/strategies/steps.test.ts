import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import type { Run } from '../../src/run/run.ts';
import { type StepDone, type Steps, takeSteps } from '../../src/strategies/steps.ts';
import type { Question } from '../../src/strategies/strategy.ts';

const stepOf = (number: number) => ({ number, thought: '', calls: [], findings: [], next: '', summarisedTo: 0 });
const doneBy = (number: number, more: Partial<StepDone<string>> = {}): StepDone<string> => ({
  ...{ step: stepOf(number), answer: null, stopped: null, wrong: 0 },
  ...more,
});

function take(
  outcomes: readonly (StepDone<string> | Error)[],
  { kept = 9, left = 9, depth = 0, most = 5, scarcest = 'calls' } = {},
) {
  const events: string[] = [];
  const run = {
    settings: { budget: { maxIterations: most } },
    budget: { callsLeft: () => kept, scarcest: () => scarcest, stopped: () => null },
    events: { emit: ({ type }: { type: string }) => void events.push(type) },
  } as unknown as Run;
  const way: Steps<string> = {
    callsLeft: () => left,
    unit: ['step', 'exploring'],
    take: async ({ steps }) => {
      const outcome = outcomes[steps.length]!;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    toldResult: (result) => result,
    gaveUpReason: 'nothing more',
  };
  return { stepped: takeSteps({ path: '0', depth } as Question, way, run), events };
}

describe('the loop of steps ends', () => {
  it('with an answer, and emits each step', async () => {
    const { stepped, events } = take([doneBy(1), doneBy(2, { answer: 'yes' })]);
    expect(await stepped).toMatchObject({ answer: 'yes', stopped: null, gaveUp: '', steps: [{ number: 1 }, {}] });
    expect(events).toEqual(['step.completed', 'step.completed']);
  });

  it('at the limits, with a call left for the answer', async () => {
    const right = [1, 2, 3].map((number) => doneBy(number));
    expect(await take(right, { most: 2 }).stepped).toMatchObject({ stopped: { code: 'limit-iterations' } });
    for (const limits of [{ depth: 1, left: 1 }, { kept: 1 }])
      expect(await take(right, limits).stepped).toMatchObject({ stopped: { code: 'limit-calls' }, steps: [] });
    const { stopped } = await take(right, { kept: 1, scarcest: 'usd' }).stepped;
    expect(stopped).toMatchObject({ code: 'limit-cost', hint: expect.stringContaining('--max-cost') });
  });

  it('if a forced answer fails again, or a reply cannot be used', async () => {
    const wrong = [1, 2, 3, 4].map((number) => doneBy(number, { wrong: number }));
    expect(await take(wrong).stepped).toMatchObject({ gaveUp: 'nothing more', steps: { length: 4 } });
    const unusable = new RlmError('reply-unusable', 'it was empty');
    expect(await take([unusable]).stepped).toMatchObject({ gaveUp: 'it was empty' });
    expect(await take([new RlmError('limit-cost', 'too dear')]).stepped).toMatchObject({
      stopped: { message: 'too dear' },
    });
    await expect(take([new TypeError('a bug')]).stepped).rejects.toThrow('a bug');
  });
});
