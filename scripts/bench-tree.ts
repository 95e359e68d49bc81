/** Measures a tree of calls through the whole pipeline. A local server answers each call after a fixed time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ask } from '../src/index.ts';

interface Measured {
  readonly calls: number;
  /** From the call of `ask` to its result, in ms. */
  readonly wallMs: number;
  /** The number of calls that must wait for each other, times the latency, in ms. */
  readonly criticalMs: number;
  readonly sequentialMs: number;
  readonly maxInFlight: number;
}

/** The calls that wait for each other: planner, assess, decompose, assess, answer, compose, compose, critic. */
const chain = 8;
const rounds = 7;

/** Returns the median of all runs but the first, which loads the code. */
export async function measureTree(latencyMs: number): Promise<Measured> {
  const server = fork(fileURLToPath(new URL('bench-server.ts', import.meta.url)), [String(latencyMs)]);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const settings = {
    provider: 'ollama',
    strategy: 'decompose',
    ollama: { host: url },
    budget: { concurrency: 32 },
    stages: { planner: 'always', critic: 'always' },
  } as const;
  const walls: number[] = [];
  let calls = 0;
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    const result = await ask('What are they all?', { settings, env: {} });
    if (result.status !== 'answered') throw new Error(`the tree was not answered: ${result.error?.message}`);
    if (round > 0) walls.push(performance.now() - startedAt);
    calls = result.usage.calls;
  }
  server.send('end');
  const [{ maxInFlight }] = (await once(server, 'message')) as [{ maxInFlight: number }];
  const wallMs = walls.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  return { calls, wallMs, criticalMs: chain * latencyMs, sequentialMs: calls * latencyMs, maxInFlight };
}
