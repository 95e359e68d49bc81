/** Levenshtein distance between two short words (Wagner & Fischer 1974). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The candidate most like `word`, or null when none is like it (more than half of its letters differ). */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const lower = word.slice(0, 100).toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.ceil(lower.length / 2));
  for (const candidate of candidates) {
    const found = distance(lower, candidate.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [candidate, found];
  }
  return best;
}
