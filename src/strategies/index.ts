import type { StrategyName } from '../state.ts';
import { decompose } from './decompose.ts';
import { direct } from './direct.ts';
import { scan } from './scan.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy by its name. The code of explore and repl is loaded on first use. */
export const strategies: Readonly<Record<StrategyName, Strategy>> = {
  direct,
  decompose,
  scan,
  explore: async (...asked) => (await import('./explore/solve.ts')).solveWithTools(...asked),
  repl: async (...asked) => (await import('./repl/solve.ts')).solveWithCode(...asked),
};
