import type { RunModel } from '../roster.ts';
import type { Window } from './window.ts';

/** The ratio of a model's token counts to the estimates; shared by all calls to the model. */
export type Sizing = ReturnType<typeof createSizing>;

/** Smallest prompt that is measured, in tokens: a smaller one is mostly template, which the estimate leaves out. */
const fewestTokens = 500;

/** Smallest factor by which the ratio grows after a refused prompt. */
const leastGrowth = 1.25;

/** Highest plausible ratio. */
const mostScale = 4;

/** Creates the ratio at 1, since the estimate is conservative; it only grows. */
export function createSizing() {
  let scale = 1;
  let refusals = 0;
  const grow = (to: number) => {
    scale = Math.max(scale, Math.min(mostScale, to));
  };
  return {
    /** Converts an estimate into tokens as this model counts them. */
    scaled: (tokens: number): number => Math.ceil(tokens * scale),
    /** Returns the window with its rooms adjusted to the model's counts. */
    seen(window: Window): Window {
      if (scale === 1) return window;
      const { passageBytes, lookBytes } = window;
      const sized = (bytes: number) => Math.floor(bytes / scale);
      return { ...window, passageBytes: sized(passageBytes), lookBytes: lookBytes === null ? null : sized(lookBytes) };
    },
    counted(estimate: number, tokens: number): void {
      if (estimate >= fewestTokens) grow(tokens / estimate);
    },
    /** Records that the server refused a prompt as too long for its window, or cut it. */
    refused(estimate: number, windowTokens: number): void {
      refusals += 1;
      grow(Math.max(scale * leastGrowth, windowTokens / estimate));
    },
    get refusals() {
      return refusals;
    },
  };
}

/** Returns the window with the least room for passages, adjusted to the models' counts. */
export const smallestSeen = (models: readonly (RunModel & { readonly sizing: Sizing })[]): Window =>
  models
    .map(({ window, sizing }) => sizing.seen(window))
    .reduce((least, one) => (one.passageBytes < least.passageBytes ? one : least));
