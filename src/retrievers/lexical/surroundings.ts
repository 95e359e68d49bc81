import { isCodeName } from '../../context/chunkers/languages.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import { createUnderReader, type UnderReader } from '../../context/under/under-reader.ts';

const none = new Uint8Array(0);

/**
 * What counts for chunks of program code besides their text, as UTF-8: the name of their document, and the definitions
 * that they are in. Nothing for other text. Chunks of a document are to be asked for in their order.
 */
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
      read = isCodeName(name) ? createUnderReader(name) : null;
    }
    if (read === null) return none;
    return Buffer.from([name, ...read(Buffer.from(bytes).toString())].join('\n'));
  };
}
