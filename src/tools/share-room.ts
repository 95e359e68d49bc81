/**
 * Divides the room of a step among its results: what a short one leaves, longer ones get.
 * @param sizes size of each result in full.
 * @returns the room of each; at least its size where all fit.
 */
export function shareRoom(sizes: readonly number[], room: number): readonly number[] {
  const ascending = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  const shares = sizes.map(() => 0);
  let left = room;
  for (const [place, { size, index }] of ascending.entries()) {
    const fair = Math.floor(left / (ascending.length - place));
    shares[index] = Math.min(size, fair);
    left -= shares[index]!;
  }
  return shares;
}
