/**
 * Yields items in order, best first, by a heap: taking the first few of many costs little more than one pass.
 * @param before whether the first item comes before the second; a total order makes the result deterministic
 */
export function* bestFirst(items: Uint32Array, before: (a: number, b: number) => boolean): Generator<number> {
  const heap = items.slice();
  for (let root = (heap.length >> 1) - 1; root >= 0; root--) sink(heap, root, heap.length, before);
  for (let size = heap.length; size > 0; size--) {
    yield heap[0]!;
    heap[0] = heap[size - 1]!;
    sink(heap, 0, size - 1, before);
  }
}

function sink(heap: Uint32Array, from: number, size: number, before: (a: number, b: number) => boolean): void {
  const item = heap[from]!;
  let hole = from;
  for (let child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && before(heap[child + 1]!, heap[child]!)) child++;
    if (!before(heap[child]!, item)) break;
    heap[hole] = heap[child]!;
    hole = child;
  }
  heap[hole] = item;
}
