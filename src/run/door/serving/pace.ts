import type { Tokens } from '../../../state.ts';

/** How fast a model writes. */
export interface Pace {
  /** Tokens that it writes in that time, in ms; infinite as long as its pace is not known. */
  writtenIn(ms: number): number;
  /** A reply has come, in so many ms from its first sign on. */
  wrote(tokens: Tokens, ms: number): void;
}

/** Shorter replies, and shorter times, tell nothing. */
const fewestTokens = 20;
const shortestMs = 500;

/** Knows the pace of the last reply that was long enough to tell. */
export function createPace(): Pace {
  let tokensPerMs = Number.POSITIVE_INFINITY;
  return {
    writtenIn: (ms) => Math.floor(tokensPerMs * ms),
    wrote({ output }, ms) {
      if (output >= fewestTokens && ms >= shortestMs) tokensPerMs = output / ms;
    },
  };
}
