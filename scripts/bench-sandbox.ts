/** Measures the sandbox: its start, its calls, and finding a needle in a large text. */
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { createHaystack, findNeedle } from './needles.ts';

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function openSandbox(text: Buffer): Sandbox {
  return createSandbox({
    source: {
      documents: [{ name: 'a.txt', bytes: text.length }],
      read: (_document, start, end) => text.subarray(start, end),
    },
    limits: { turnMs: 60_000, memoryMb: 128, calls: 10, outputCharacters: 1_000 },
    seed: 1,
    signal: new AbortController().signal,
    answer: async () => '',
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Measures the time to the end of the first turn, in ms, and the time of a call that does not wait, in µs. */
export async function measureSandbox(): Promise<{ readonly startMs: number; readonly callUs: number }> {
  const starts: number[] = [];
  const calls: number[] = [];
  const count = 20_000;
  for (let round = 0; round < 7; round++) {
    const sandbox = openSandbox(Buffer.from('a text'));
    starts.push(await timed(() => sandbox.run('1')));
    await sandbox.run('context.length');
    const empty = await timed(() => sandbox.run(`for (let i = 0; i < ${count}; i++);`));
    const full = await timed(() => sandbox.run(`for (let i = 0; i < ${count}; i++) context.charCodeAt(0);`));
    calls.push(((full - empty) / count) * 1_000);
    sandbox.close();
  }
  return { startMs: median(starts), callUs: median(calls) };
}

/** Searches for needles in texts of this many tokens. Returns whether all were found, and the calls of each. */
export async function measureNeedles(sizes: readonly number[]) {
  const found: { readonly tokens: number; readonly isFound: boolean; readonly calls: number; readonly ms: number }[] =
    [];
  for (const tokens of sizes) {
    const haystack = createHaystack(tokens, tokens);
    const { answer, usage, recursionTree } = await findNeedle(haystack);
    const isFound = answer?.includes(haystack.needle) ?? false;
    found.push({ tokens, isFound, calls: usage.calls, ms: recursionTree!.timeMs });
  }
  return found;
}
