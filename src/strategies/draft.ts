import type { StrategyName } from '../state.ts';
import type { Draft } from './strategy.ts';

/** Creates a draft; missing fields are empty. With an error the draft is partial. */
export function draftBy(strategy: StrategyName, said: Partial<Omit<Draft, 'strategy'>>): Draft {
  const { error = null } = said;
  return {
    strategy,
    strategyReason: null,
    status: error === null ? 'answered' : 'partial',
    answer: null,
    tells: null,
    missing: [],
    needsAll: false,
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
