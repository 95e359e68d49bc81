import type { Strategy } from './strategy.ts';

/** Looks into the text with code that the model writes. What it takes is loaded when it is first used. */
export const repl: Strategy = {
  name: 'repl',
  async solve(question, run, recurse) {
    const { solveWithCode } = await import('./repl/solve.ts');
    return solveWithCode(question, run, recurse);
  },
};
