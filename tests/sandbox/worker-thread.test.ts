import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FromWorker } from '../../src/sandbox/from-worker.ts';
import { untilEnded } from '../../src/sandbox/worker-thread.ts';

const limits = { turnMs: 5_000, memoryMb: 64, calls: 10, outputCharacters: 1_000 };
const done = { kind: 'done', output: '', printed: 0, error: null, final: null, problems: '', variables: '' } as const;
const call: Extract<FromWorker, { kind: 'call' }> = {
  kind: 'call',
  id: 1,
  name: 'llm_query',
  args: ['Who?'],
  ranges: [],
};

/** A thread whose messages the test creates. */
function begin(callMs = 0) {
  const asked: string[] = [];
  const stop = new AbortController();
  const thread: Parameters<typeof untilEnded>[0] = {
    onMessage: () => {},
    onLost: () => {},
    send: () => {},
    hold: () => {},
    end: () => {},
  };
  const answer = async ({ args }: { readonly args: readonly string[] }) => {
    asked.push(args.join());
    if (callMs > 0) await new Promise((resolve) => setTimeout(resolve, callMs));
    return 'Bob';
  };
  const ended = untilEnded(
    thread,
    { kind: 'turn', turn: 1, code: '', limits },
    { answer, limits, signal: stop.signal },
  );
  return { thread, ended, asked, stop };
}

describe('a call of a thread', () => {
  it('is answered while the turn continues', async () => {
    const { thread, ended, asked } = begin();
    thread.onMessage(call);
    thread.onMessage(done);
    expect(await ended).toEqual(done);
    expect(asked).toEqual(['Who?']);
  });

  it('is not answered after the end of the turn', async () => {
    const { thread, ended, asked } = begin();
    thread.onMessage(done);
    await ended;
    thread.onMessage(call);
    expect(asked).toEqual([]);
  });

  it('is not answered after the run was stopped', async () => {
    const { thread, ended, asked, stop } = begin();
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    thread.onMessage(call);
    expect(asked).toEqual([]);
  });
});

describe('the time of a turn', () => {
  it('is that of all its code, without its calls', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { thread, ended } = begin(6_000);
    for (const id of [1, 2]) {
      await vi.advanceTimersByTimeAsync(2_000);
      thread.onMessage({ ...call, id });
      await vi.advanceTimersByTimeAsync(6_000);
    }
    let isLost = false;
    void ended.then(() => {
      isLost = true;
    });
    await vi.advanceTimersByTimeAsync(1_400);
    expect(isLost).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isLost).toBe(true);
    expect(await ended).toMatchObject({ kind: 'lost', why: expect.stringContaining('longer than 5 s') });
  });
});
