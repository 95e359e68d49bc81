import type { Strategy } from './strategy.ts';

/** Explores the text with code that the model writes. Its own code is loaded on first use. */
export const repl: Strategy = {
  name: 'repl',
  async solve(question, run, recurse) {
    const { solveWithCode } = await import('./repl/solve.ts');
    return solveWithCode(question, run, recurse);
  },
};
