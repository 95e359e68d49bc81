import { isCodeName } from '../../context/chunkers/languages.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import { createUnderReader, type UnderReader } from '../../context/under/under-reader.ts';

const none = new Uint8Array(0);

/**
 * Creates the function that returns what counts for a chunk of program code besides its text, as UTF-8: the name of
 * its document, and the enclosing definitions. Empty for other text. Call it for the chunks of a document in order.
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
