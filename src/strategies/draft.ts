import type { StrategyName } from '../state.ts';
import type { Draft } from './strategy.ts';

/** A draft of what a strategy has to say; what it says nothing of is empty. With an error it is partial. */
export function draftBy(strategy: StrategyName, said: Partial<Omit<Draft, 'strategy'>>): Draft {
  const { error = null } = said;
  return {
    strategy,
    strategyReason: null,
    status: error === null ? 'answered' : 'partial',
    answer: null,
    citations: [],
    assumptions: [],
    passages: [],
    shown: [],
    searches: [],
    steps: [],
    children: [],
    certainty: null,
    ...said,
    error,
  };
}
