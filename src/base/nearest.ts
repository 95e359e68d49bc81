/** Counts the fewest edits from `a` to `b`: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const edits = [previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) edits.push(before[column - 2]! + 1);
      current.push(Math.min(...edits));
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length]!;
}

/** Length of the longest word that is compared, because the time grows with the square of the length. */
const longestWord = 200;

/** Returns the candidate with the fewest edits to a word, ignoring case; null if no candidate is near enough. */
export function nearest(
  word: string,
  candidates: readonly string[],
  mostEdits = Math.floor(word.length / 3) + 1,
): string | null {
  if (word.length > longestWord) return null;
  let best: string | null = null;
  let bestDistance = mostEdits + 1;
  for (const candidate of candidates.toSorted()) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
