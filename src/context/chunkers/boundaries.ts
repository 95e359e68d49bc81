/**
 * How good a place between two lines is for a cut: 0 any, 1 where a paragraph ends, 2 where a small part begins, 3
 * where a large one does.
 */
export type Strength = 0 | 1 | 2 | 3;

/**
 * Says how good a place the start of a line is for a cut. It is asked once about each line, in order.
 * @param text holds the line from `start` to `end`; of a longer one its first `judgedBytes`.
 * @param afterBlank whether the line before holds nothing but white space.
 */
export type BoundaryFinder = (text: Buffer, start: number, end: number, afterBlank: boolean) => Strength;

/** How much of a line a boundary finder sees, in bytes. */
export const judgedBytes = 256;

/** The part of a chunk that has to be filled before a place of each strength is better than a weaker one behind it. */
const leastFill: Readonly<Record<Strength, number>> = { 0: 0, 1: 1 / 2, 2: 1 / 4, 3: 0 };

/** A place between two lines that is better for a cut than others. */
export interface Boundary {
  readonly byte: number;
  /** How many lines are before it. */
  readonly line: number;
  readonly strength: Strength;
}

/** The best of some places where a chunk may end, which are in order: the strongest, of those the last; or null. */
export function bestBoundary(boundaries: readonly Boundary[], start: number, chunkBytes: number): Boundary | null {
  let best: Boundary | null = null;
  for (const boundary of boundaries) {
    const { byte, strength } = boundary;
    const isFull = byte - start >= leastFill[strength] * chunkBytes;
    if (isFull && strength >= (best?.strength ?? 0)) best = boundary;
  }
  return best;
}
