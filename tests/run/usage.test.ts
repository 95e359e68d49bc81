import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import type { CallSpending } from '../../src/run/door/archive.ts';
import type { EventBody } from '../../src/run/events.ts';
import { createUsageMeter } from '../../src/run/run-events.ts';

const about = (path: string) => ({ call: 1, path, prompt: 'answer' as const, provider: 'p', model: 'm' });
const error = new RlmError('provider-failed', 'x').toInfo();
const started = (path: string): EventBody => ({ type: 'call.started', ...about(path), repair: false });
const completed = (path: string, input: number, output: number): EventBody => ({
  type: 'call.completed',
  ...about(path),
  from: 'model',
  reply: 'ok',
  tokens: { input, output },
  cost: 0.001 * output,
  timeMs: 1,
});

describe('usage', () => {
  it('is zero at first', () => {
    expect(createUsageMeter().total(1.4)).toEqual({
      calls: 0,
      subCalls: 0,
      failedCalls: 0,
      retries: 0,
      replayedCalls: 0,
      cacheHits: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 },
      embeddings: { requests: 0, tokens: 0, reused: 0 },
      cost: 0,
      models: [],
      wallTimeMs: 1,
    });
  });

  it('adds up events, in total and by place', () => {
    const usage = createUsageMeter();
    for (const path of ['planner', '0', '0.1', '0.1', '0.1.2']) usage.add(started(path));
    usage.add(completed('0.1', 10, 2));
    usage.add(completed('0.1', 5, 1));
    usage.add({ type: 'call.failed', ...about('0.1.2'), error, timeMs: 1 });
    usage.add({ type: 'call.retried', call: 5, path: '0.1.2', attempt: 2, waitMs: 1, error });
    usage.add({ type: 'call.reused', path: '0.1', prompt: 'answer', from: 'run' });
    usage.add({ ...completed('0', 1, 1), from: 'journal' } as EventBody);
    usage.add({ type: 'warning', code: 'model', message: 'x' });
    expect(usage.total(0)).toMatchObject({
      calls: 5,
      subCalls: 3,
      failedCalls: 1,
      retries: 1,
      replayedCalls: 1,
      cacheHits: 1,
      tokens: { input: 16, output: 4 },
      cost: 0.004,
    });
    expect(usage.at('0.1')).toEqual({ calls: 2, cacheHits: 1, tokens: { input: 15, output: 3 } });
    expect(usage.at('0.9')).toEqual({ calls: 0, cacheHits: 0, tokens: { input: 0, output: 0 } });
  });

  it('includes recorded replies that the session has not used, until it uses them', () => {
    const tokens = { input: 40, output: 2 };
    const spent = { provider: 'p', model: 'm', requests: 1, tokens, cost: 0.5 };
    const unused = new Map<string, CallSpending>([
      ['a', spent],
      ['b', { ...spent, model: 'other', cost: null }],
    ]);
    const usage = createUsageMeter(unused);
    usage.add(started('0'));
    usage.add(completed('0', 10, 2));
    expect(usage.total(0)).toMatchObject({ calls: 3, tokens: { input: 90, output: 6 }, cost: null });
    unused.delete('b');
    expect(usage.total(0)).toMatchObject({
      calls: 2,
      cost: 0.502,
      models: [{ provider: 'p', model: 'm', calls: 2, tokens: { input: 50, output: 4 }, cost: 0.502 }],
    });
  });

  it('has no cost if one price is unknown', () => {
    const usage = createUsageMeter();
    usage.add(completed('0', 1, 1));
    usage.add({ ...completed('0', 1, 1), cost: null } as EventBody);
    expect(usage.total(0).cost).toBeNull();
  });

  it('is reported by model, each with its own cost', () => {
    const usage = createUsageMeter();
    const small = { provider: 'p', model: 's' };
    for (const event of [started('0'), started('0'), { ...started('0.1'), ...small }]) usage.add(event as EventBody);
    usage.add(completed('0', 10, 2));
    usage.add({ ...completed('0.1', 5, 1), ...small, cost: null } as EventBody);
    expect(usage.total(0).models).toMatchObject([
      { provider: 'p', model: 'm', calls: 2, tokens: { input: 10, output: 2 }, cost: 0.002 },
      { provider: 'p', model: 's', calls: 1, tokens: { input: 5, output: 1 }, cost: null },
    ]);
  });
});

it('usage adds up the tokens of prompt caches', () => {
  const usage = createUsageMeter();
  usage.add(started('0'));
  usage.add({ ...completed('0', 100, 1), tokens: { input: 100, output: 1, cacheRead: 80 } } as EventBody);
  usage.add({ ...completed('0', 50, 1), tokens: { input: 50, output: 1, cacheWritten: 40 } } as EventBody);
  const tokens = { input: 150, output: 2, cacheRead: 80, cacheWritten: 40 };
  expect(usage.total(0)).toMatchObject({ tokens, models: [{ tokens }] });
});
