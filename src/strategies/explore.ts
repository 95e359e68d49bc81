import type { Strategy } from './strategy.ts';

/** Explores the text with tools, step by step. Its code is loaded on first use. */
export const explore: Strategy = {
  name: 'explore',
  async solve(question, run, recurse) {
    const { solveWithTools } = await import('./explore/solve.ts');
    return solveWithTools(question, run, recurse);
  },
};
