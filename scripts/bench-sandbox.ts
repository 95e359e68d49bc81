/** What the sandbox takes: to start, to be called, to look through a large text. */
import { ask, createScriptedProvider } from '../src/index.ts';
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

/** Time to the end of the first turn, in ms, and of a call that does not wait, in µs. */
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

const fence = '```';

/** What twelve steps over a text do, each a usual one. */
const steps = [
  'print(context.length, context.slice(0, 500))',
  'print(context.indexOf("ledger"))',
  'print(context.grep("no such words at all"))',
  'print(context.match(/needle-(\\d+)/))',
  'print(context.lines(1000, 1010))',
  'print(context.includes("another needle"))',
  'print(context.lastIndexOf("line 5"))',
  'print(context.grep(/line 77777\\d/))',
  'print(context.chunks(1_000_000).length)',
  'print(context.slice(-500))',
  'print(context.grep("line 123456 "))',
  'FINAL("done")',
];

/** A plan of 12 steps over so many bytes: the time of the whole reasoner, in ms. The model takes none. */
export async function measurePlan(bytes: number): Promise<number> {
  const parts: string[] = [];
  for (let size = 0, line = 0; size < bytes; line++) {
    parts.push(`line ${line} says what all of them say, and not much more than that it is one of them\n`);
    size += parts.at(-1)!.length;
  }
  const critic = { confidenceScore: 90, gaps: [], uncertainties: [], reasoning: 'fine' };
  const { recursionTree } = await ask('What is in it?', {
    documents: [{ name: 'a.txt', text: parts.join('') }],
    provider: createScriptedProvider({ repl: steps.map((code) => `${fence}js\n${code}\n${fence}`), critic }),
    settings: { strategy: 'repl' },
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
  });
  return recursionTree!.timeMs;
}

/** Needles in texts of so many tokens: whether all were found, and how many calls each took. */
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
