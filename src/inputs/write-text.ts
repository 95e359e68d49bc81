import type { DocumentInfo } from '../state.ts';
import { createDecoder, decodingWarnings, isOnlyMark } from './decode.ts';
import type { ByteSource } from './read-file.ts';
import type { InputReading, OnPiece, ReadOutcome } from './reading.ts';

/** Writes a text source into the store, and closes the source. After an error, none of its text stays in the store. */
export async function writeText(
  name: string,
  source: ByteSource,
  {
    store,
    encoding,
    total,
    isExtracted,
  }: Pick<InputReading, 'store' | 'encoding' | 'total'> & Pick<DocumentInfo, 'isExtracted'>,
  onPiece: OnPiece,
): Promise<ReadOutcome> {
  const { head, rest, bytes } = source;
  const writer = store.begin(name, isExtracted);
  const decoder = createDecoder(head, encoding);
  let taken = 0;
  const take = (bytes: Uint8Array) => {
    total.add(name, bytes.length);
    taken += bytes.length;
    writer.write(decoder.write(bytes));
  };
  try {
    if (bytes !== null) total.foresee(name, bytes);
    if (!isOnlyMark(head)) take(head);
    for await (const piece of rest ?? []) {
      take(piece);
      await onPiece?.();
    }
    writer.write(decoder.end());
    await writer.prepare();
  } catch (error) {
    writer.abandon();
    total.add(name, -taken);
    throw error;
  } finally {
    source.close();
  }
  if (writer.end() === null) return { skipped: [{ name, reason: 'empty' }], warnings: [] };
  const cut =
    bytes !== null && taken < bytes ? [`'${name}' became shorter while it was read: ${taken} of ${bytes} bytes`] : [];
  return { skipped: [], warnings: [...decodingWarnings(name, decoder), ...cut] };
}
