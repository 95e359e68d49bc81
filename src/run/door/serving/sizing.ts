import type { RunModel } from '../../roster.ts';
import type { Window } from '../window.ts';

/** What a model's tokenizer makes of prompts, against the estimate; shared by all calls to the model. */
export interface Sizing {
  /** A prompt of so many tokens by the estimate, as this model counts them. */
  scaled(tokens: number): number;
  /** The window with the room that it has by that. */
  seen(window: Window): Window;
  /** The server has counted a prompt. */
  counted(estimate: number, tokens: number): void;
  /** The server has refused a prompt as too long for its window, or has cut it. */
  refused(estimate: number, windowTokens: number): void;
  /** How often a prompt was refused. */
  readonly refusals: number;
}

/** Small prompts are mostly template, which the estimate leaves out. */
const fewestTokens = 500;

/** A prompt that is too long has so much more than was thought, at least. */
const leastGrowth = 1.25;

/** A count beyond that is no count. */
const mostScale = 4;

/** Begins with the estimate as it is, which is on the safe side, and only grows. */
export function createSizing(): Sizing {
  let scale = 1;
  let refusals = 0;
  const grow = (to: number) => {
    scale = Math.max(scale, Math.min(mostScale, to));
  };
  return {
    scaled: (tokens) => Math.ceil(tokens * scale),
    seen(window) {
      const passageBytes = Math.floor(window.passageBytes / scale);
      return scale === 1 ? window : { ...window, passageBytes };
    },
    counted(estimate, tokens) {
      if (estimate >= fewestTokens) grow(tokens / estimate);
    },
    refused(estimate, windowTokens) {
      refusals += 1;
      grow(Math.max(scale * leastGrowth, windowTokens / estimate));
    },
    get refusals() {
      return refusals;
    },
  };
}

/** The window with the least room for passages, as the models' tokenizers have it. */
export const smallestSeen = (models: readonly (RunModel & { readonly sizing: Sizing })[]): Window =>
  models
    .map(({ window, sizing }) => sizing.seen(window))
    .reduce((least, one) => (one.passageBytes < least.passageBytes ? one : least));
