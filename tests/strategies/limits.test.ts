import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelRequest } from '../../src/index.ts';
import { exitCodeOf } from '../../src/result.ts';
import { logs, lowered, noting } from '../support/exploring.ts';
import { askScripted, finalAnswer, look, type Script, variables } from '../support/scripted-run.ts';

const question = 'Who lowered the pool?';
const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

const search = look(['grep', { pattern: 'pool was lowered' }]);

/** Models that find something by their second call, and then continue without end. */
const endless = {
  explore: (step: number) => [search, noting(search, lowered)][step] ?? look(['grep', { pattern: `entry ${step}:` }]),
  repl: (turn: number) =>
    js(turn === 1 ? 'print(cite("lowered to 4 by config C-1187"))' : `print(context.slice(${turn}, ${turn} + 4000))`),
} as const;

type Looker = keyof typeof endless;
const lookers: readonly Looker[] = ['explore', 'repl'];

const ask = (strategy: Looker, script: Script, settings: object) =>
  askScripted(
    script,
    { documents: logs, settings: { strategy, context: { maxWindowTokens: 16_384 }, ...settings } },
    question,
  );

const prices = { 'scripted/scripted': { input: 3, output: 15 } };

const limits: readonly [name: string, code: string, settings: object][] = [
  ['steps', 'limit-iterations', { budget: { maxIterations: 3 } }],
  ['calls', 'limit-calls', { budget: { maxCalls: 7 } }],
  ['tokens', 'limit-tokens', { budget: { maxTokens: 80_000 } }],
  ['cost', 'limit-cost', { prices, budget: { maxCost: 0.2 } }],
];

/** Expects an answer from the findings, and the status of a limit. */
function expectPart({ result, prompts }: Awaited<ReturnType<typeof ask>>, strategy: Looker, code: string) {
  expect(result).toMatchObject({ status: 'partial', stopReason: code, error: { code } });
  expect(exitCodeOf(result)).toBe(6);
  expect(result.answer).toBe(`About ${question}`);
  expect(result.recursionTree).toMatchObject({ strategy, status: 'partial' });
  expect(result.recursionTree!.steps.length).toBeGreaterThanOrEqual(2);
  expect(result.citations).toMatchObject([{ source: 'log.txt', startLine: 2_001 }]);
  expect(prompts.filter((prompt) => prompt === 'conclude')).toHaveLength(1);
}

describe.each(lookers)('%s', (strategy) => {
  it.each(limits)('ends by the limit of %s with a partial answer, and status 6', async (name, code, settings) => {
    const asked = await ask(
      strategy,
      { [strategy]: (_: unknown, index: number) => endless[strategy](index) },
      settings,
    );
    expectPart(asked, strategy, code);
    const { calls, tokens, cost } = asked.result.usage;
    if (name === 'calls') expect(calls).toBeLessThanOrEqual(7);
    if (name === 'tokens') expect(tokens.input + tokens.output).toBeLessThanOrEqual(80_000);
    if (name === 'cost') expect(cost).toBeLessThanOrEqual(0.2);
  });
});

describe('the limit of time', () => {
  it.each(lookers)('ends %s with a partial answer, and status 6', async (strategy) => {
    // The clock advances only when the model stalls, because a slow machine would otherwise reach the limit earlier.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const stalling = async (_: ModelRequest, index: number) => {
      if (index <= 2) return endless[strategy](index);
      setImmediate(() => vi.advanceTimersByTime(540_000));
      return new Promise<never>(() => {});
    };
    const asked = await ask(strategy, { [strategy]: stalling }, { budget: { timeout: 600, callTimeout: 600 } });
    expectPart(asked, strategy, 'limit-time');
  });
});

describe('the limit of depth', () => {
  const asking: Record<Looker, Script> = {
    explore: {
      explore: (request) => {
        const { question: asked, steps } = variables(request, 'explore');
        return steps.length === 0 ? look(['sub_query', { question: `${asked} Why?` }]) : finalAnswer('Mara did.');
      },
    },
    repl: {
      repl: (_, index) =>
        index === 0
          ? js('try { print(rlm_query("Who lowered it?", context.slice(0, 3000))); } catch (e) { print(e.message); }')
          : 'FINAL(Mara did.)',
    },
  };
  const said: Record<Looker, string> = { explore: 'there is no tool "sub_query"', repl: 'rlm_query may go no deeper' };

  it.each(lookers)('refuses %s a question below it, and the answer is complete', async (strategy) => {
    const { result } = await ask(strategy, asking[strategy], { budget: { maxDepth: 0 } });
    expect(result).toMatchObject({ status: 'answered', answer: 'Mara did.', recursionTree: { children: [] } });
    expect(exitCodeOf(result)).toBe(0);
    expect(result.recursionTree!.steps[0]!.calls[0]!.result).toContain(said[strategy]);
  });

  it.each(lookers)('lets %s ask no deeper than it', async (strategy) => {
    const settings = { budget: { maxDepth: 1 }, reasoner: { childTools: 'full' } };
    const { result } = await ask(strategy, asking[strategy], settings);
    expect(result.status).toBe('answered');
    expect(result.recursionTree!.children).toMatchObject([{ depth: 1, children: [] }]);
  });
});
