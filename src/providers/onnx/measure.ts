/** How well a model tells claims that a text bears out from others: asked of known pairs before its word is taken. */
import { type KnownPair, knownPairs } from './known-pairs.ts';
import type { Scorer } from './scorer.ts';

/** What a model has shown on known pairs. */
export interface Measured {
  /** Which of its outputs says that the text bears the claim out. */
  readonly output: number;
  /** The share of pairs that it judges rightly, true and false ones weighed equally, 0–1; .5 is chance. */
  readonly right: number;
}

/** A model below it is not believed. On these pairs the share of words reaches .53 with the best threshold. */
export const leastRight = 0.8;

const saysSupported = /^(?:entail|support|yes|true|faithful|consistent|factual|attribut|grounded)/i;

/** The outputs that may mean support: the one that is named so, else each. */
function candidates(labels: readonly string[], count: number): number[] {
  const named = labels.slice(0, count).findIndex((label) => saysSupported.test(label));
  return named >= 0 ? [named] : Array.from({ length: count }, (_, at) => at);
}

/** The share of pairs that are judged rightly at one half. */
export function shareRight(pairs: readonly KnownPair[], supports: readonly number[]): number {
  const shareOf = (isSupported: boolean) => {
    const own = pairs.flatMap((pair, at) => (pair.isSupported === isSupported ? [supports[at]!] : []));
    return own.filter((support) => support >= 0.5 === isSupported).length / own.length;
  };
  return (shareOf(true) + shareOf(false)) / 2;
}

/**
 * Asks a model of each known pair. An output whose name does not tell what it means is known by how it judges them.
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
