import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, RlmError, type RunEvent } from '../src/index.ts';
import { askScripted, part, type Script, sensible, splitInto } from './support/scripted-run.ts';
import { warned } from './support/warned.ts';

const parts = splitInto(part('Which pool?'), part('Which release?'), part('Which clock?'));
const limited = (maxCalls: number) => ({ settings: { strategy: 'decompose', budget: { maxCalls } } }) as const;

/** Creates a script in which one question is never answered. Calls `onAsked` when it is asked. */
function stuckAt(stuck: string, onAsked = () => {}): Script {
  const answer = sensible.answer as (request: unknown) => object;
  return {
    answer: async (request) => {
      if (!('question' in request.input.variables) || request.input.variables.question !== stuck)
        return answer(request);
      onAsked();
      return new Promise<string>(() => {});
    },
  };
}

describe('a run', () => {
  it('goes through four stages in order', async () => {
    const { events } = await askScripted({});
    const stages = events.flatMap((event) =>
      event.type === 'stage.started' || event.type === 'stage.completed'
        ? [`${event.stage} ${event.type.slice(6)}`]
        : [],
    );
    expect(stages).toEqual(
      ['planner', 'retriever', 'reasoner', 'critic'].flatMap((stage) => [`${stage} started`, `${stage} completed`]),
    );
    expect(events[0]).toMatchObject({ type: 'run.started', seq: 1, fits: true, documents: 2, provider: 'scripted' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  });

  it.each([
    ['planner', { code: 'rate-limited', exit: 5 }],
    ['answer', { code: 'provider-unreachable', exit: 4 }],
  ] as const)('fails when the provider fails in the %s', async (prompt, { code, exit }) => {
    const error = new RlmError(code, 'gone', { hint: 'try' });
    const { result } = await askScripted({ [prompt]: () => error });
    expect(result).toMatchObject({ status: 'failed', answer: null, stopReason: code, error: { code, hint: 'try' } });
    expect(exitCodeOf(result)).toBe(exit);
  });

  it('rejects only for bugs', async () => {
    const bug = askScripted({ answer: (request) => request.messages[9]!.content });
    expect((await bug).result.error).toMatchObject({ code: 'provider-failed' });
  });
});

describe('a run that has no calls left', () => {
  it.each([2, 3, 4, 5, 6])('answers directly with %i calls, which are too few for splitting', async (maxCalls) => {
    const { result, requests } = await askScripted(parts, limited(maxCalls));
    expect(requests.length).toBeLessThanOrEqual(maxCalls);
    expect(result.usage.calls).toBe(requests.length);
    expect(result).toMatchObject({ status: 'answered', recursionTree: { strategy: 'direct', children: [] } });
    expect(warned(result, 'answered-directly')).toContain('too few calls are left');
  });

  it('is partial with exit code 6, and says what to type', async () => {
    const { result } = await askScripted(parts, limited(1));
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit-calls', error: { code: 'limit-calls' } });
    expect(result.error!.hint).toContain('--max-calls 2');
    expect(exitCodeOf(result)).toBe(6);
  });

  it('skips assessments when only the calls for the answers are left', async () => {
    const { result, prompts } = await askScripted(parts, limited(7));
    expect(prompts).toEqual(['planner', 'answer', 'answer', 'answer', 'compose', 'critic']);
    expect(result.status).toBe('answered');
  });

  it('keeps the answer that it could pay for with one call', async () => {
    const { result } = await askScripted({}, { settings: { budget: { maxCalls: 1 } } });
    expect(result).toMatchObject({ status: 'partial', answer: 'About Why did it fail?', critique: null });
  });

  it('answers with two or three calls if the question is simple', async () => {
    for (const maxCalls of [2, 3]) {
      const { result } = await askScripted({}, { settings: { budget: { maxCalls } } });
      expect(result).toMatchObject({ status: 'answered', error: null, usage: { calls: maxCalls } });
    }
  });

  it('composes and criticises with the reserved share', async () => {
    const five = splitInto(...['pool', 'release', 'clock', 'host', 'team'].map((thing) => part(`Which ${thing}?`)));
    const { result, prompts } = await askScripted(five, limited(7));
    expect(prompts).toHaveLength(7);
    expect(prompts.slice(-2)).toEqual(['compose', 'critic']);
    expect(result).toMatchObject({ status: 'partial', answer: 'All of it.', critique: { score: 70 } });
    expect(result.recursionTree!.children.some(({ status }) => status === 'unanswered')).toBe(true);
  });
});

describe('a run whose time is over', () => {
  it('is partial, with the parts that were finished', async () => {
    const settings = { strategy: 'decompose', budget: { timeout: 2 } } as const;
    const { result } = await askScripted({ ...parts, ...stuckAt('Which clock?') }, { settings });
    expect(result).toMatchObject({ status: 'partial', answer: 'All of it.', stopReason: 'limit-time' });
    expect(exitCodeOf(result)).toBe(6);
    expect(result.recursionTree!.children.map(({ answer }) => answer)).toEqual([
      'About Which pool?',
      'About Which release?',
      null,
    ]);
  });

  it('is partial without an answer when there is none', async () => {
    const never = () => new Promise<string>(() => {});
    const { result } = await askScripted({ planner: never }, { settings: { budget: { timeout: 0.1 } } });
    expect(result).toMatchObject({ status: 'partial', answer: null, stopReason: 'limit-time', recursionTree: null });
  });
});

describe('a run that is cancelled during a call', () => {
  it('lists the parts that were finished', async () => {
    const controller = new AbortController();
    const abort = () => void sleep(50).then(() => controller.abort());
    const { result, events } = await askScripted(
      { ...parts, ...stuckAt('Which clock?', abort) },
      { settings: { strategy: 'decompose' }, signal: controller.signal },
    );
    expect(result).toMatchObject({ status: 'cancelled', stopReason: 'interrupted', critique: null });
    expect(result.answer).toBe('Which pool?\nAbout Which pool?\n\nWhich release?\nAbout Which release?');
    expect(exitCodeOf(result)).toBe(130);
    const stoppedAt = events.findIndex(({ type }) => type === 'run.stopped');
    expect(stoppedAt).toBeGreaterThan(0);
    expect(events.slice(stoppedAt).filter(({ type }) => type === 'call.started')).toEqual([]);
  });

  it('keeps the plan when it is cancelled before anything was answered', async () => {
    const controller = new AbortController();
    const onEvent = ({ type }: RunEvent) => type === 'plan' && controller.abort();
    const { result, prompts } = await askScripted({}, { signal: controller.signal, onEvent });
    expect(prompts).toEqual(['planner']);
    expect(result).toMatchObject({ status: 'cancelled', plan: { taskDecomposition: ['look'] }, recursionTree: null });
  });

  it('says so with the reason of the signal', async () => {
    const controller = new AbortController();
    const never = () => {
      controller.abort(new RlmError('terminated', 'the run was terminated'));
      return new Promise<string>(() => {});
    };
    const { result } = await askScripted({ planner: never }, { signal: controller.signal });
    expect(result).toMatchObject({ status: 'cancelled', answer: null, stopReason: 'terminated' });
    expect(exitCodeOf(result)).toBe(143);
  });
});
