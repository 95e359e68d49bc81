import { createDecoder, type Decoder, type Encoding, isBinary, isOnlyMark } from './decode.ts';
import type { InputTotal } from './input-total.ts';
import type { ByteSource } from './read-file.ts';
import type { Skipped } from './skipped.ts';
import type { GrowingStore } from './store.ts';

/** How far reading has come. */
export interface ReadingProgress {
  /** Files and other documents that were read, skipped ones included. */
  readonly files: number;
  readonly bytes: number;
}

/** Where text goes, and on which terms. */
export interface Reading {
  readonly store: GrowingStore;
  /** Of text without a byte order mark. */
  readonly encoding: Encoding;
  readonly total: InputTotal;
  /** Told now and then; reading goes on when it is done. */
  readonly onProgress: (progress: ReadingProgress) => Promise<void> | undefined;
}

/** What a source came to: a document in the store, or nothing, and why. */
export interface ReadOutcome {
  readonly skipped: Skipped | null;
  readonly warnings: readonly string[];
}

const nothingToSay: ReadOutcome = { skipped: null, warnings: [] };

/**
 * Reads a source into the store, and closes it.
 * @param onPiece told after every piece of a long text; only where an error ends all reading, since the text of a
 *   document that fails is forgotten.
 * @throws what reading throws; `input-too-large`, `no-space`.
 */
export async function readDocument(
  name: string,
  source: ByteSource,
  { store, encoding, total }: Reading,
  onPiece: (() => Promise<void> | undefined) | null,
): Promise<ReadOutcome> {
  const { head, rest, bytes } = source;
  const reason = isBinary(head) ? 'binary' : isOnlyMark(head) && rest === null ? 'empty' : null;
  if (reason !== null) {
    source.close();
    return { skipped: { name, reason }, warnings: [] };
  }
  const writer = store.begin(name);
  const decoder = createDecoder(head, encoding);
  const take = (bytes: Uint8Array) => {
    total.add(name, bytes.length);
    writer.write(decoder.write(bytes));
  };
  try {
    if (bytes !== null) total.foresee(name, bytes);
    take(head);
    for await (const piece of rest ?? []) {
      take(piece);
      await onPiece?.();
    }
    writer.write(decoder.end());
    await writer.prepare();
  } catch (error) {
    writer.abandon();
    throw error;
  } finally {
    source.close();
  }
  if (writer.end() === null) return { skipped: { name, reason: 'empty' }, warnings: [] };
  return decoder.invalid() === 0 ? nothingToSay : { skipped: null, warnings: [invalidWarning(name, decoder)] };
}

function invalidWarning(name: string, decoder: Decoder): string {
  const invalid = decoder.invalid();
  const many = invalid === 1 ? 'one invalid sequence is' : `${invalid} invalid sequences are`;
  const hint = decoder.encoding === 'UTF-8' ? '; if it is Latin-1, use --encoding latin1' : '';
  return `'${name}' is not valid ${decoder.encoding}: ${many} shown as \uFFFD${hint}`;
}
