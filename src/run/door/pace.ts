import type { ModelReply } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';

/** Tokens that a model reads and writes per second. */
export interface Speed {
  readonly read: number;
  readonly written: number;
}

type Timing = NonNullable<ModelReply['timing']>;

export const shortAnswerTokens = 60;

export type Pace = ReturnType<typeof createPace>;

/** Minimum length of a reply that is measured, in tokens and in ms. The speed of a shorter reply would be inexact. */
const fewestWritten = 20;
const shortestMs = 500;

/** Minimum length of a prompt that is measured, in tokens. Servers have often cached a shorter prompt. */
const fewestRead = 300;

/** Maximum factor by which one call raises the reading speed. A faster call had a part of its prompt in a cache. */
const mostGain = 1.5;

/** Returns the duration of a call, in ms. */
export const msAt = ({ read, written }: Speed, { input, output }: Tokens): number =>
  1_000 * (input / read + output / written);

/** Creates a meter of a model's speed. It measures only long prompts and replies. `known`: speed in earlier runs. */
export function createPace(known: Speed | null = null, onSpeed: (speed: Speed) => void = () => {}) {
  let read = known?.read ?? null;
  let written = known?.written ?? null;
  return {
    /** Returns the tokens that the model writes in `ms`; Infinity until the speed is known. */
    writtenIn: (ms: number): number =>
      written === null ? Number.POSITIVE_INFINITY : Math.floor((written * ms) / 1_000),
    /** Returns the duration of a call in ms; null until the speed is known. */
    msFor: (tokens: Tokens): number | null =>
      read === null || written === null ? null : msAt({ read, written }, tokens),
    took({ input, output }: Tokens, { readMs, writeMs }: Timing): void {
      if (output >= fewestWritten && writeMs >= shortestMs) written = (1_000 * output) / writeMs;
      if (input >= fewestRead && readMs > 0) {
        const seen = (1_000 * input) / readMs;
        read = read === null ? seen : Math.min(seen, read * mostGain);
      }
      if (read !== null && written !== null) onSpeed({ read, written });
    },
  };
}
