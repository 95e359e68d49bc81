import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../src/index.ts';
import type { StrategyName } from '../../src/state.ts';
import { askScripted, failing, long, part, plan, splitInto } from '../support/scripted-run.ts';

const keyQuestions = [part('Which pool?'), part('Which release?')];
const parts = splitInto(...keyQuestions);

/** Tests a strategy against the contract of all strategies. */
export function testStrategy(name: StrategyName): void {
  const settings = { strategy: name };

  describe(`the strategy ${name}`, () => {
    it('can be requested by the user, and is then named in the tree', async () => {
      const { result } = await askScripted(parts, { settings, documents: long });
      expect(result).toMatchObject({ status: 'answered', plan: { approach: name } });
      expect(result.recursionTree).toMatchObject({ strategy: name, strategyReason: 'asked for by --strategy' });
    });

    it('is known to the planner, which may choose it', async () => {
      const planner = plan({ keyQuestions, approach: name });
      // Only models that are capable of code may write it.
      const scripted = { tools: name === 'repl' };
      const { requests, result } = await askScripted({ planner }, { documents: long, scripted });
      expect(requests[0]!.messages.at(-1)!.content).toContain(`- ${name}: `);
      expect(result.recursionTree).toMatchObject({ strategy: name, strategyReason: 'the planner chose it' });
    });

    it('has an error in place of an answer when the provider gives none', async () => {
      const none = failing('provider-failed');
      const { result } = await askScripted(
        { ...parts, answer: none, scan: none, explore: none, repl: none, conclude: none },
        { settings },
      );
      expect(result).toMatchObject({
        status: 'failed',
        answer: null,
        citations: [],
        error: { code: 'provider-failed' },
      });
      expect(result.recursionTree).toMatchObject({ status: 'unanswered', strategy: name });
      expect(exitCodeOf(result)).toBe(5);
    });

    it.each([1, 2, 3, 4, 5, 6, 7])('stays within %i calls', async (maxCalls) => {
      const { result } = await askScripted(parts, { settings: { ...settings, budget: { maxCalls } } });
      expect(result.usage.calls).toBeLessThanOrEqual(maxCalls);
      expect(result.answer).not.toBeNull();
    });
  });
}
