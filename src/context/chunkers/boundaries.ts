/**
 * How suitable a line break is for a cut: 0 any, 1 where a paragraph ends, 2 where a small part begins, 3 where a
 * large one begins.
 */
export type Strength = 0 | 1 | 2 | 3;

/**
 * Returns how suitable the start of a line is for a cut. Called once for each line, in order.
 * @param text holds the line from `start` to `end`; of a longer one its first `judgedBytes`.
 * @param afterBlank whether the line before holds nothing but white space.
 */
export type BoundaryFinder = (text: Buffer, start: number, end: number, afterBlank: boolean) => Strength;

/** How much of a line a boundary finder sees, in bytes. */
export const judgedBytes = 256;

/**
 * Fraction of a chunk that has to be filled before a boundary of each strength is preferred to a weaker one after it.
 */
const leastFill: Readonly<Record<Strength, number>> = { 0: 0, 1: 1 / 2, 2: 1 / 4, 3: 0 };

/** A line break that is more suitable for a cut than others. */
export interface Boundary {
  readonly byte: number;
  /** Number of lines before it. */
  readonly line: number;
  readonly strength: Strength;
}

/**
 * Returns the best of some ordered boundaries for a chunk's end: the last of the strongest; null where none is
 * suitable.
 */
export function bestBoundary(boundaries: readonly Boundary[], start: number, chunkBytes: number): Boundary | null {
  let best: Boundary | null = null;
  for (const boundary of boundaries) {
    const { byte, strength } = boundary;
    const isFull = byte - start >= leastFill[strength] * chunkBytes;
    if (isFull && strength >= (best?.strength ?? 0)) best = boundary;
  }
  return best;
}
