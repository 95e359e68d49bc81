import { type ReadLimits, type ReadMember, type ReadPart, type Source, UnreadableFile } from './reader.ts';

/** What kept the rest of a file from being unpacked, once its bytes were taken; null: nothing. */
interface Damage {
  detail: string | null;
}

/** Passes bytes on up to where they cannot be unpacked. Without any before that, the file is unreadable. */
async function* upToDamage(bytes: Source['bytes'], damage: Damage): AsyncIterable<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of bytes) {
      length += piece.length;
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile) || error.reason !== 'corrupt' || length === 0) throw error;
    damage.detail = `${error.message}; the text before it was read, ${length} bytes`;
  }
}

/**
 * Reads a file as it is unpacked. Of one that is damaged, the text before the damage is read, and the file is named as
 * corrupt all the same.
 */
export async function* readUnpacked(
  readMember: ReadMember,
  innerName: string,
  { name, bytes }: Source,
  limits: ReadLimits,
): AsyncIterable<ReadPart> {
  const damage: Damage = { detail: null };
  for await (const part of readMember(innerName, { name, bytes: upToDamage(bytes, damage) }, limits)) {
    yield part;
    if (!('reason' in part) && damage.detail !== null) yield { name, reason: 'corrupt', detail: damage.detail };
  }
}
