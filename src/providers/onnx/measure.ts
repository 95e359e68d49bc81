/**
 * Measures on known pairs how well a model distinguishes supported claims from others, before its verdicts are used.
 */
import { type KnownPair, knownPairs } from './known-pairs.ts';
import type { Scorer } from './scorer.ts';

/** A model's result on known pairs. */
export interface Measured {
  /** Index of the output for a supported claim. */
  readonly output: number;
  /** Share of correctly judged pairs, with supported and wrong claims weighted equally, 0–1; 0.5 is chance. */
  readonly right: number;
}

/**
 * The least share of correctly judged pairs for a model to be used. On these pairs the share of common words reaches
 * 0.53 with the best threshold.
 */
export const leastRight = 0.8;

const saysSupported = /^(?:entail|support|yes|true|faithful|consistent|factual|attribut|grounded)/i;

/** Returns the outputs that may mean support: the one with such a name, else all. */
function candidates(labels: readonly string[], count: number): number[] {
  const named = labels.slice(0, count).findIndex((label) => saysSupported.test(label));
  return named >= 0 ? [named] : Array.from({ length: count }, (_, at) => at);
}

/** Returns the share of pairs that are judged correctly with a threshold of 0.5. */
export function shareRight(pairs: readonly KnownPair[], supports: readonly number[]): number {
  const shareOf = (isSupported: boolean) => {
    const own = pairs.flatMap((pair, at) => (pair.isSupported === isSupported ? [supports[at]!] : []));
    return own.filter((support) => support >= 0.5 === isSupported).length / own.length;
  };
  return (shareOf(true) + shareOf(false)) / 2;
}

/**
 * Tests a model on every known pair. Where no output's name shows its meaning, the output that judges best is taken.
 * @param labels the names of the outputs; may be empty.
 */
export async function measure(scorer: Scorer, labels: readonly string[], signal: AbortSignal): Promise<Measured> {
  const scores: number[][] = [];
  for (const { text, claim } of knownPairs) {
    signal.throwIfAborted();
    scores.push(await scorer.score(text, claim));
  }
  const count = scores[0]!.length;
  return candidates(labels, count)
    .map(
      (output): Measured => ({
        output,
        right: shareRight(
          knownPairs,
          scores.map((score) => score[output] ?? 0),
        ),
      }),
    )
    .reduce((best, one) => (one.right > best.right ? one : best));
}
