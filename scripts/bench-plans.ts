/** Scripted models that follow a fixed plan of 12 steps over a large text; they take no time themselves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Uses the built program, because running the source would include the time to compile TypeScript.
import type * as Library from '../src/index.ts';
import { around } from './needles.ts';

const fence = '```';

/** Twelve typical steps with code. */
const code = [
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

type Call = readonly [tool: string, given: object];

/** Twelve steps with tools: every tool for text, and searches for rare, absent and omnipresent words. */
const calls: readonly (readonly Call[])[] = [
  [['list_files', {}]],
  [['grep', { pattern: 'ledger' }]],
  [['grep', { pattern: 'says needle' }]],
  [['grep', { pattern: 'needle-\\d+' }]],
  [['grep', { pattern: 'line 77777\\d', caseSensitive: true }]],
  [['grep', { pattern: '[0-9]{5}5 [f]o[a-z]+' }]],
  [['grep', { words: 'What does line 123456 say?' }]],
  [['read_file', { startLine: 1000, endLine: 1010 }]],
  [['grep', { pattern: 'line 12345\\d ', lines: 2 }]],
  [['grep', { pattern: 'line', count: true }]],
  [['read_file', { path: 'text/8000#100' }]],
  [['final_answer', { answer: 'done' }]],
];

const toReply = (actions: readonly Call[]): object => ({
  thought: '',
  next: '',
  findings: [],
  actions: actions.map(([tool, given]) => ({ tool, arguments: given })),
});

const plans = { repl: code.map((one) => `${fence}js\n${one}\n${fence}`), explore: calls.map(toReply) };

function textOf(bytes: number): string {
  const parts: string[] = [];
  for (let size = 0, line = 0; size < bytes; line++) {
    parts.push(`line ${line} says what all of them say, and not much more than that it is one of them\n`);
    size += parts.at(-1)!.length;
  }
  return parts.join('');
}

/** The time of the reasoner from its first step to its answer, in ms. */
interface PlanFigure {
  readonly ms: number;
  /** Processor time of all threads, in ms. */
  readonly processorMs: number;
}

/** Runs a plan over this many bytes, with a journal of every call. The text is read and indexed beforehand. */
export async function measurePlan(strategy: keyof typeof plans, bytes: number): Promise<PlanFigure> {
  const built = new URL('../dist/index.js', import.meta.url).href;
  const { ask, createScriptedProvider } = (await import(built)) as typeof Library;
  const state = await mkdtemp(join(tmpdir(), 'rlm-bench-plan-'));
  let before = process.cpuUsage();
  let processorMs = 0;
  try {
    const { recursionTree } = await ask('What is in it?', {
      documents: [{ name: 'a.txt', text: textOf(bytes) }],
      provider: createScriptedProvider({ [strategy]: plans[strategy], ...around }),
      settings: { strategy },
      resumable: true,
      cwd: import.meta.dirname,
      env: { HOME: state },
      onEvent({ type }) {
        const { user, system } = process.cpuUsage(before);
        if (type === 'node.started') before = process.cpuUsage();
        if (type === 'node.completed') processorMs = (user + system) / 1000;
      },
    });
    const steps = recursionTree!.steps.length;
    if (steps !== 12) throw new Error(`the plan of ${strategy} ended after ${steps} steps`);
    return { ms: recursionTree!.timeMs, processorMs };
  } finally {
    await rm(state, { recursive: true });
  }
}
