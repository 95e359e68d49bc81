import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import { type Budget, createBudget, dearestOf, type Limits, type Spending } from '../../../src/run/door/budget.ts';
import { createLimiter, type Limiter } from '../../../src/run/door/limiter.ts';

/** A node makes its call, then runs its children concurrently, then makes a call that composes their answers. */
interface Node {
  readonly ms: number;
  /** The index of the model that it asks. */
  readonly model: number;
  /** The actual cost of the call, as a part of its worst case. */
  readonly used: number;
  readonly fails: boolean;
  readonly children: readonly Node[];
}

const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.record({
    ms: fc.integer({ min: 0, max: 2 }),
    model: fc.nat({ max: 2 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    fails: fc.boolean(),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 4 })),
  }),
}));

/** The worst cases of the models: one with a large window, an expensive one, and a free one. */
const worstCases: readonly Spending[] = [
  { calls: 1, tokens: 1_000, usd: 0.03 },
  { calls: 1, tokens: 400, usd: 0.2 },
  { calls: 1, tokens: 0, usd: 0 },
];

const dearest = dearestOf(worstCases);

const limits = fc.record<Limits>({
  calls: fc.integer({ min: 1, max: 40 }),
  tokens: fc.option(fc.integer({ min: 0, max: 30_000 })),
  usd: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  wallTimeMs: fc.constantFrom(5, 1e6),
  fetches: fc.constant(1),
});

function expectWithin(budget: Budget, { calls, tokens, usd }: Limits): void {
  const [spent, held] = [budget.spent(), budget.reserved()];
  expect(spent.calls + held.calls).toBeLessThanOrEqual(calls);
  expect(spent.tokens + held.tokens).toBeLessThanOrEqual(tokens ?? Number.POSITIVE_INFINITY);
  expect(spent.usd + held.usd).toBeLessThanOrEqual((usd ?? Number.POSITIVE_INFINITY) + 1e-7);
}

async function walk(
  node: Node,
  depth: number,
  budget: Budget,
  limiter: Limiter,
  check: () => void,
  signal: AbortSignal,
) {
  const worst = worstCases[node.model]!;
  const call = () =>
    limiter(
      async () => {
        const held = await budget.reserve(depth === 0 ? 'kept' : 'ordinary', worst, signal);
        check();
        try {
          await sleep(node.ms, undefined, { signal });
          if (node.fails) throw new RlmError('provider-failed', 'x');
        } finally {
          held.settle({ calls: 1, tokens: Math.round(worst.tokens * node.used), usd: worst.usd * node.used });
          check();
        }
      },
      '0',
      signal,
    ).catch(() => {});
  await call();
  await Promise.all(node.children.map((child) => walk(child, depth + 1, budget, limiter, check, signal)));
  if (node.children.length > 0) await call();
}

it('in any tree, at any speed, with models of several prices, no limit is ever exceeded and nothing stays reserved', async () => {
  const width = fc.integer({ min: 1, max: 8 });
  const abortMs = fc.option(fc.integer({ min: 0, max: 8 }), { freq: 3 });
  await fc.assert(
    fc.asyncProperty(tree, limits, width, abortMs, async (root, within, concurrency, ms) => {
      const budget = createBudget(within, { dearest });
      const controller = new AbortController();
      const timer = ms === null ? undefined : setTimeout(() => controller.abort(new RlmError('interrupted', 'x')), ms);
      const check = () => expectWithin(budget, within);
      await walk(
        root,
        0,
        budget,
        createLimiter(() => concurrency),
        check,
        controller.signal,
      );
      clearTimeout(timer);
      expect(budget.reserved()).toEqual({ calls: 0, tokens: 0, usd: 0 });
    }),
    { numRuns: 300 },
  );
}, 60_000);
