import { headBytes } from '../decode.ts';

/** The first bytes of a stream, as many as are looked at to tell what it is, and the stream with them still in it. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < headBytes) {
    const { value, done } = await iterator.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return { head: head.subarray(0, headBytes), bytes: resume(head, iterator) };
}

async function* resume(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => iterator };
}
