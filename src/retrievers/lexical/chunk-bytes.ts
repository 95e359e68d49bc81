import { isCodeName } from '../../context/chunkers/languages.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import { createUnderReader, isKeyedName, type UnderReader } from '../../context/under/under-reader.ts';

const windowBytes = 512 * 1024;

/** Creates the function that reads the bytes of chunks, which are requested in order, many at a time. */
export function createChunkReader(store: ContextStore): (index: number) => { chunk: Chunk; bytes: Uint8Array } {
  let document = -1;
  let start = 0;
  let window: Uint8Array = new Uint8Array(0);
  const readFrom = (index: number, chunk: Chunk) => {
    let last = chunk;
    for (let next = index + 1; next < store.chunkCount; next++) {
      const following = store.chunk(next);
      if (following.document !== chunk.document || following.endByte - chunk.startByte > windowBytes) break;
      last = following;
    }
    ({ document, startByte: start } = chunk);
    window = store.read(document, start, last.endByte);
  };
  return (index) => {
    const chunk = store.chunk(index);
    const isThere = chunk.document === document && chunk.startByte >= start && chunk.endByte <= start + window.length;
    if (!isThere) readFrom(index, chunk);
    return { chunk, bytes: window.subarray(chunk.startByte - start, chunk.endByte - start) };
  };
}

const none = new Uint8Array(0);

/** Creates the function that returns what counts for a chunk of code or YAML besides its text, as UTF-8. */
export function createSurroundings(
  store: Pick<ContextStore, 'documents' | 'growing'>,
): (chunk: Pick<Chunk, 'document'>, bytes: Uint8Array) => Uint8Array {
  let document = -1;
  let name = '';
  let read: UnderReader | null = null;
  return (chunk, bytes) => {
    if (chunk.document !== document) {
      document = chunk.document;
      name = store.documents[document]?.name ?? store.growing ?? '';
      read = isCodeName(name) || isKeyedName(name) ? createUnderReader(name) : null;
    }
    if (read === null) return none;
    return Buffer.from([name, ...read(Buffer.from(bytes).toString())].join('\n'));
  };
}
