import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Result, RlmError, type RunEvent, type TreeNode } from '../src/index.ts';
import { askScripted, part, plan, type Script, variables } from './support/scripted-run.ts';

const words =
  'pool release clock disk memory network proxy queue cache token index shard lease quota batch replica'.split(' ');

/** The delay and the outcome of each call. */
const behaviour = fc.record({
  ms: fc.integer({ min: 0, max: 3 }),
  outcome: fc.oneof(
    { weight: 12, arbitrary: fc.constant('reply') },
    fc.constantFrom('refused', 'transient', 'rubbish', 'broken'),
  ),
  isComplex: fc.boolean(),
  width: fc.integer({ min: 0, max: 6 }),
});

type Behaviour = typeof behaviour extends fc.Arbitrary<infer B> ? B : never;

function scriptOf(behaviours: readonly Behaviour[]): Script {
  let calls = 0;
  const split = (width: number, from: number) =>
    Array.from({ length: width }, (_, index) => {
      const needs = index > 0 && (from + index) % 3 === 0 ? [index] : [];
      return part(`What of the ${words[(from + index) % words.length]} ${from}?`, ...needs);
    });
  const reply = (make: (one: Behaviour, call: number) => object) => async () => {
    const call = calls++;
    const one = behaviours[call % behaviours.length]!;
    await sleep(one.ms);
    if (one.outcome === 'refused') throw new RlmError('request-refused', 'no');
    if (one.outcome === 'transient')
      throw new RlmError('provider-failed', 'busy', { transient: true, retryAfterMs: 1 });
    if (one.outcome === 'rubbish') return 'I would rather not.';
    const json = JSON.stringify(make(one, call));
    return one.outcome === 'broken' ? json.slice(0, -1) : json;
  };
  return {
    planner: reply(({ width }) => plan({ approach: 'decompose', keyQuestions: split(width, 0) })),
    assess: reply(({ isComplex }) => ({ verdict: isComplex ? 'COMPLEX' : 'SIMPLE', reason: 'so' })),
    decompose: reply(({ width }, call) => ({ subQuestions: split(width, call) })),
    answer: reply(() => ({ answer: 'It ran out [P1].', citations: [], assumptions: [] })),
    compose: reply(() => ({ finalAnswer: 'All of it [P1].', assumptions: [] })),
    critic: reply(() => ({ confidenceScore: 50, verdicts: [], gaps: [], conflicts: [], reasoning: '' })),
  };
}

/** In USD per million tokens. */
const prices = { 'scripted/scripted': { input: 1, output: 5 } };

const nodesOf = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(nodesOf)];

function expectWellFormed({ status, answer, error, stopReason, confidence, citations, recursionTree }: Result): void {
  expect(stopReason).toBe(error?.code ?? 'completed');
  if (status === 'answered') expect({ answer, error }).toEqual({ answer: expect.any(String), error: null });
  else expect(error).not.toBeNull();
  if (status === 'failed') expect(answer).toBeNull();
  if (confidence !== null) expect(citations.length).toBeGreaterThan(0);
  const marks = [...(answer ?? '').matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits));
  for (const mark of marks) expect(citations.map(({ number }) => number)).toContain(mark);
  for (const node of recursionTree ? nodesOf(recursionTree) : []) {
    expect(node.depth).toBe(node.path.split('.').length - 1);
    expect(node.answer === null).toBe(node.status === 'unanswered');
    expect(node.error === null).toBe(node.status === 'answered');
  }
}

/**
 * Expects that every call and node has ended, and that none began after the limit of calls or the user stopped the run.
 */
function expectOrder(events: readonly RunEvent[], maxCalls: number): void {
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of('call.started').length).toBe(of('call.completed').length + of('call.failed').length);
  expect(of('call.started').length).toBeLessThanOrEqual(maxCalls);
  expect(of('node.started').length).toBe(of('node.completed').length);
  expect(of('run.stopped').length).toBeLessThanOrEqual(1);
  const stop = events.findIndex((event) => event.type === 'run.stopped' && event.error.code === 'interrupted');
  if (stop >= 0) expect(events.slice(stop).filter(({ type }) => type === 'call.started')).toEqual([]);
}

it('whatever the model does, the budget holds, the numbers are right and the result is well-formed', async () => {
  const settings = fc.record({
    maxCalls: fc.integer({ min: 1, max: 40 }),
    maxDepth: fc.integer({ min: 0, max: 3 }),
    concurrency: fc.integer({ min: 1, max: 5 }),
    maxTokens: fc.option(fc.integer({ min: 1, max: 60_000 })),
    maxCost: fc.option(fc.double({ min: 0, max: 0.2, noNaN: true })),
  });
  const abortMs = fc.option(fc.integer({ min: 0, max: 30 }), { freq: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 1, maxLength: 40 }),
      settings,
      abortMs,
      async (all, budget, ms) => {
        const asked = await askScripted(scriptOf(all), {
          settings: { strategy: 'decompose', budget, prices },
          ...(ms === null ? {} : { signal: AbortSignal.timeout(ms) }),
        }).catch((error: unknown) => error);
        if (asked instanceof Error) {
          // The run was cancelled before it began.
          expect([ms, asked.name]).toEqual([expect.any(Number), expect.stringMatching(/TimeoutError|RlmError/)]);
          return;
        }
        const { result, requests, events, atOnce } = asked as Awaited<ReturnType<typeof askScripted>>;
        expectWellFormed(result);
        expectOrder(events, budget.maxCalls);
        const { calls, retries, tokens, cost } = result.usage;
        expect(calls + retries).toBeLessThanOrEqual(budget.maxCalls);
        expect(tokens.input + tokens.output).toBeLessThanOrEqual(budget.maxTokens ?? Number.POSITIVE_INFINITY);
        expect(cost).toBeLessThanOrEqual((budget.maxCost ?? Number.POSITIVE_INFINITY) + 1e-6);
        expect(requests.length).toBeLessThanOrEqual(calls + retries);
        // A retry that was cancelled while it waited was announced, but not sent.
        if (result.status !== 'cancelled') expect(requests.length).toBe(calls + retries);
        expect(atOnce).toBeLessThanOrEqual(budget.concurrency);
        const nodes = result.recursionTree ? nodesOf(result.recursionTree) : [];
        expect(Math.max(0, ...nodes.map(({ depth }) => depth))).toBeLessThanOrEqual(budget.maxDepth);
        const below = nodes.filter(({ depth }) => depth > 0).reduce((total, node) => total + node.calls, 0);
        expect(result.usage.subCalls).toBe(below);
        for (const request of requests) expect(variables(request, request.input.prompt)).toBeDefined();
      },
    ),
    { numRuns: 120 },
  );
}, 60_000);
