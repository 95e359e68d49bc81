/**
 * Returns the results of `work` for all items, in the items' order. Runs at most `limit` calls concurrently. After the
 * first error or an abort, no further call begins, and the signal of `work` aborts.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const workSignal = AbortSignal.any([signal, failed.signal]);
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      workSignal.throwIfAborted();
      const index = next++;
      results[index] = await work(items[index] as Item, workSignal);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  await Promise.all(workers).catch((error: unknown) => {
    failed.abort(error);
    throw error;
  });
  return results;
}
