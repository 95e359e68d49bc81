/**
 * The results of `work` for every item, in the items' order, with at most `limit` at work at once. Rejects with the
 * first error, or with the signal's reason, after which no further work is begun.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      signal.throwIfAborted();
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  await Promise.all(workers).catch((error: unknown) => {
    next = items.length;
    throw error;
  });
  return results;
}
