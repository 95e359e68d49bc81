import type { ModelReply } from '../../providers/provider.ts';
import type { Tokens } from '../../state.ts';

/** Tokens that a model reads and writes per second. */
export interface Speed {
  readonly read: number;
  readonly written: number;
}

/** Duration of a reply in ms: until its first token, and from then on. */
type Timing = NonNullable<ModelReply['timing']>;

/** Typical length of a short answer, in tokens. */
export const shortAnswerTokens = 60;

export type Pace = ReturnType<typeof createPace>;

/** Output tokens of a reply that is measured, at least: shorter replies, and shorter times, are too inexact. */
const fewestWritten = 20;
const shortestMs = 500;

/** Prompt tokens of a measured call, at least: the server has often cached a shorter prompt. */
const fewestRead = 300;

/** A reading speed above this multiple of the known one means that the server had cached the prompt's beginning. */
const mostGain = 1.5;

/** Returns the duration of a call of `tokens` at a speed, in ms. */
export const msAt = ({ read, written }: Speed, { input, output }: Tokens): number =>
  1_000 * (input / read + output / written);

/** Creates the measurement of a model's speed, from recent long replies and from earlier runs (`known`). */
export function createPace(known: Speed | null = null, onSpeed: (speed: Speed) => void = () => {}) {
  let read = known?.read ?? null;
  let written = known?.written ?? null;
  return {
    /** Returns the tokens that it writes in `ms`; infinite until its speed is known. */
    writtenIn: (ms: number): number =>
      written === null ? Number.POSITIVE_INFINITY : Math.floor((written * ms) / 1_000),
    /** Returns the duration of a call of `tokens`, in ms; null until its speed is known. */
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
