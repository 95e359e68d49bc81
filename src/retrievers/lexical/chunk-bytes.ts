import { isCodeName } from '../../context/chunkers/languages.ts';
import type { Chunk, ContextStore } from '../../context/document.ts';
import { createUnderReader, isKeyedName, type UnderReader } from '../../context/under/under-reader.ts';

const none = new Uint8Array(0);

/**
 * Creates a function that returns a chunk's file name and its enclosing definitions or keys, as bytes. It returns no
 * bytes for files other than code, YAML, TOML and INI.
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
      read = isCodeName(name) || isKeyedName(name) ? createUnderReader(name) : null;
    }
    if (read === null) return none;
    return Buffer.from([name, ...read(Buffer.from(bytes).toString())].join('\n'));
  };
}
