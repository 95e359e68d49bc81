/** Wraps `compute` in a cache that holds at least the last `limit` results, and at most twice as many. */
export function createMemo<Result>(limit: number, compute: (key: string) => Result): (key: string) => Result {
  let recent = new Map<string, Result>();
  let older = new Map<string, Result>();
  const refresh = (key: string) => {
    const own = detached(key);
    const result = older.get(key) ?? compute(own);
    if (recent.size >= limit) [older, recent] = [recent, new Map()];
    recent.set(own, result);
    return result;
  };
  return (key) => recent.get(key) ?? refresh(key);
}

/** Copies a slice of 13 characters or more. Otherwise V8 would keep the text that contains the slice in memory. */
function detached(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice, 'utf16le').toString('utf16le');
}
