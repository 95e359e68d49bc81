import type { Tokens } from '../../../state.ts';

/** Tokens that a model reads and writes in a second. */
export interface Speed {
  readonly read: number;
  readonly written: number;
}

/** How long a reply took, in ms: until its first sign, and from there on. */
export interface Timing {
  readonly readMs: number;
  readonly writeMs: number;
}

/** A short answer, in tokens, as it comes out as a rule. */
export const shortAnswerTokens = 60;

/** How fast a model is. */
export interface Pace {
  /** Tokens that it writes in that time, in ms; infinite as long as its pace is not known. */
  writtenIn(ms: number): number;
  /** How long a call of so many tokens takes, in ms; null as long as that is not known. */
  msFor(tokens: Tokens): number | null;
  /** A reply has come. */
  took(tokens: Tokens, timing: Timing): void;
}

/** Shorter replies, and shorter times, tell nothing. */
const fewestWritten = 20;
const shortestMs = 500;

/** A shorter prompt is mostly one that the server has read before. */
const fewestRead = 300;

/** A prompt that seems to be read faster by more than this began with words that the server had read before. */
const mostGain = 1.5;

/** The time of a call of so many tokens at that speed, in ms. */
export const msAt = ({ read, written }: Speed, { input, output }: Tokens): number =>
  1_000 * (input / read + output / written);

/**
 * Knows the speed of the last replies that were long enough to tell, and of earlier runs.
 * @param known from earlier runs; null: nothing.
 * @param onSpeed told each time the speed has been seen.
 */
export function createPace(known: Speed | null = null, onSpeed: (speed: Speed) => void = () => {}): Pace {
  let read = known?.read ?? null;
  let written = known?.written ?? null;
  return {
    writtenIn: (ms) => (written === null ? Number.POSITIVE_INFINITY : Math.floor((written * ms) / 1_000)),
    msFor: (tokens) => (read === null || written === null ? null : msAt({ read, written }, tokens)),
    took({ input, output }, { readMs, writeMs }) {
      if (output >= fewestWritten && writeMs >= shortestMs) written = (1_000 * output) / writeMs;
      if (input >= fewestRead && readMs > 0) {
        const seen = (1_000 * input) / readMs;
        read = read === null ? seen : Math.min(seen, read * mostGain);
      }
      if (read !== null && written !== null) onSpeed({ read, written });
    },
  };
}
