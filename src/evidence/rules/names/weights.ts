/** How well names fit their places in a claim; of two names, how much better than each other's places. */
export interface PlaceSigns {
  /** Agreement with the evidence in having `the` before the name. */
  readonly article: number;
  /** Agreement in having quotation marks. */
  readonly quotes: number;
  /** Agreement in the kind of the word before the name, and behind it. */
  readonly before: number;
  readonly after: number;
  /** Whether the evidence has the same word before the name. */
  readonly wordBefore: number;
  /** How many of the nearest terms on each side the evidence has on the same side. */
  readonly left: number;
  readonly right: number;
  /** The share of these terms, by rarity, that share a sentence with the name. */
  readonly together: number;
  /** How often the evidence has the first name of the claim, as a logarithm. */
  readonly frequent: number;
}

/**
 * Weights of the signs, fitted by `npm run fit:evidence` on true claims: supported and partly supported claims of
 * WiCE's development set outside the test half of `npm run bench:evidence`, and sentences of four articles of squad2.
 * The order of each two names counts as right, the exchanged order as wrong.
 */
export const placeWeights: Readonly<Record<keyof PlaceSigns, number>> = {
  article: 1.01,
  quotes: 0.31,
  before: 0.06,
  after: 0.35,
  wordBefore: 0.73,
  left: 0.63,
  right: 1.04,
  together: 1.88,
  frequent: 0.39,
};

export const placeSigns = Object.keys(placeWeights) as (keyof PlaceSigns)[];

/** Returns the logarithm of the odds that the names stand in their own places. */
export const placeOdds = (signs: PlaceSigns): number =>
  placeSigns.reduce((sum, sign) => sum + placeWeights[sign] * signs[sign], 0);
