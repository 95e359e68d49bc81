/**
 * Makes many calls through the door, in three shapes, to a local server that answers each after a fixed time. Makes
 * the same calls one after the other for comparison.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createRun } from '../src/assemble/create-run.ts';
import { chooseProvider, onlyModel } from '../src/assemble/models/choose-provider.ts';
import { planRun } from '../src/assemble/run-plan.ts';
import { createScope } from '../src/base/scope.ts';
import { loadConfiguration } from '../src/config/layers.ts';
import { createContextStore } from '../src/context/store/store.ts';
import { noQueries } from '../src/prompts/answer.ts';
import type { Run } from '../src/run/run.ts';

type Shape = 'chain' | 'flat' | 'mixed';

export interface Figures {
  readonly calls: number;
  readonly shape: Shape;
  readonly wallMs: number;
  /** The least possible time: the number of calls that must wait for each other, times the latency, in ms. */
  readonly criticalMs: number;
  /** The same requests by plain fetch, one after the other. */
  readonly plainLoopMs: number;
  /** The same requests by plain fetch, in the same shape. */
  readonly plainMs: number;
  /** Processor time of this process, in ms. */
  readonly cpuPerCall: number;
}

const width = 64;
const rounds = 3;

/** A node asks, then its three children run concurrently, then it composes; the tree stops at the number of calls. */
interface Node {
  readonly path: string;
  readonly children: readonly Node[];
}

/** A tree with this many nodes, filled level by level. */
function mixedTree(nodes: number): Node {
  const make = (path: string, size: number): Node => {
    const rest = size - 1;
    const parts = Math.min(3, rest);
    const sizes = Array.from({ length: parts }, (_, index) => Math.floor((rest + index) / parts));
    return { path, children: sizes.map((part, index) => make(`${path}.${index + 1}`, part)) };
  };
  return make('0', nodes);
}

const depthOf = ({ children }: Node): number => 1 + Math.max(0, ...children.map(depthOf));

type Ask = (path: string, index: number) => Promise<unknown>;

async function walk(node: Node, ask: Ask): Promise<void> {
  await ask(node.path, 0);
  await Promise.all(node.children.map((child) => walk(child, ask)));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function chain(count: number, ask: Ask): Promise<void> {
  for (const index of numbers(count)) await ask('0', index);
}

/** How to run each shape, and how many of its calls must wait for each other. */
const shapes: Readonly<
  Record<Shape, { run(calls: number, ask: Ask): Promise<unknown>; critical(calls: number): number }>
> = {
  chain: { run: chain, critical: (calls) => calls },
  flat: {
    run: (calls, ask) => Promise.all(numbers(calls).map((index) => ask(`0.${index}`, index))),
    critical: (calls) => Math.ceil(calls / width),
  },
  mixed: { run: (calls, ask) => walk(mixedTree(calls), ask), critical: (calls) => depthOf(mixedTree(calls)) },
};

async function createBenchRun(url: string): Promise<{ run: Run; close(): Promise<void> }> {
  const settings = new Map<string, unknown>(
    Object.entries({ provider: 'ollama', 'ollama.host': url, 'budget.maxCalls': 10_000, 'budget.concurrency': width }),
  );
  const configuration = loadConfiguration({ settings, env: {} });
  const { signal } = new AbortController();
  const chosen = onlyModel(await chooseProvider(configuration, undefined, signal));
  const inputs = { store: createContextStore(), unreadPages: 0, givenCount: 0, warnings: [], close: () => {} };
  const text = { inputs, index: null, paths: [], asked: null, close: () => {} };
  const gathered = { chosen, text, library: null, ownPrompts: null, role: null, schema: null };
  const plan = planRun('Why?', { cwd: '/', env: {}, signal }, configuration);
  const scope = createScope();
  const { run } = await createRun(plan, gathered, { listeners: [], onExchange: null }, scope);
  return { run, close: scope.close };
}

function askOn(run: Run): Ask {
  return (path, index) => {
    const variables = {
      question: `What is ${path} ${index}?`,
      passages: [],
      known: [],
      criteria: [],
      ...noQueries,
    };
    return run.ask('answer', variables, { path, share: 'kept' });
  };
}

/** Sends a request without using this program's code. */
function plainAsk(url: string): Ask {
  return async (path, index) => {
    const messages = [{ role: 'user', content: `What is ${path} ${index}?` }];
    const format = { properties: { answer: {} } };
    const body = JSON.stringify({ model: 'qwen2.5-coder:14b', messages, format, stream: true });
    const response = await fetch(`${url}/api/chat`, { method: 'POST', body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
}

interface Timed {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function time(work: () => Promise<unknown>): Promise<Timed> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const times: Timed[] = [];
  for (const _ of numbers(rounds)) times.push(await time(work));
  return { wallMs: median(times.map(({ wallMs }) => wallMs)), cpuMs: median(times.map(({ cpuMs }) => cpuMs)) };
}

async function measure(shape: Shape, calls: number, latencyMs: number, ask: Ask, plain: Ask): Promise<Figures> {
  const { run, critical } = shapes[shape];
  const { wallMs, cpuMs } = await timed(() => run(calls, ask));
  const { wallMs: plainMs } = await timed(() => run(calls, plain));
  const { wallMs: plainLoopMs } = shape === 'chain' ? { wallMs: plainMs } : await time(() => chain(calls, plain));
  return {
    calls,
    shape,
    wallMs,
    criticalMs: critical(calls) * latencyMs,
    plainLoopMs,
    plainMs,
    cpuPerCall: cpuMs / calls,
  };
}

/** Makes all measurements in one run, so that the figures can be compared. */
export async function measureCalls(latencyMs: number): Promise<Figures[]> {
  const server = fork(fileURLToPath(new URL('bench-server.ts', import.meta.url)), [String(latencyMs)]);
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const { run, close } = await createBenchRun(url);
  const [ask, plain] = [askOn(run), plainAsk(url)];
  await shapes.flat.run(50, ask); // Loads and compiles the code before the measurement.
  await shapes.flat.run(50, plain);
  const figures: Figures[] = [];
  for (const calls of [1, 10, 50, 200]) {
    for (const shape of ['chain', 'flat', 'mixed'] as const)
      figures.push(await measure(shape, calls, latencyMs, ask, plain));
  }
  await close();
  server.send('end');
  await once(server, 'exit');
  return figures;
}
