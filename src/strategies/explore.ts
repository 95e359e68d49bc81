import type { Strategy } from './strategy.ts';

/** Looks around in the text with tools, step by step. What it takes is loaded when it is first used. */
export const explore: Strategy = {
  name: 'explore',
  async solve(question, run, recurse) {
    const { explore } = await import('./explore/solve.ts');
    return explore(question, run, recurse);
  },
};
