/**
 * Returns a function that computes as `compute` does and remembers the results for at least the last `limit` words, at
 * most for twice as many.
 */
export function createMemo<Result>(limit: number, compute: (word: string) => Result): (word: string) => Result {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  const refresh = (word: string) => {
    const own = detached(word);
    const result = older.get(word) ?? compute(own);
    if (recent.size >= limit) [older, recent] = [recent, new Map()];
    recent.set(own, result);
    return result;
  };
  return (word) => recent.get(word) ?? refresh(word);
}

/** Copies a string: a slice would keep the whole text that it was cut from in memory. */
function detached(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice, 'utf16le').toString('utf16le');
}
