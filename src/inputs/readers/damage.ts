import { type ReaderSource, type ReadLimits, type ReadMember, type ReadPart, UnreadableFile } from './reader.ts';

interface Damage {
  /** Why the rest of the file could not be unpacked; null before reading, or if the whole file was unpacked. */
  detail: string | null;
}

async function* upToDamage(bytes: ReaderSource['bytes'], damage: Damage): AsyncIterable<Uint8Array> {
  let length = 0;
  try {
    for await (const piece of bytes) {
      length += piece.length;
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile) || error.reason !== 'corrupt' || length === 0) throw error;
    damage.detail = `${error.message}; the ${length} bytes before the damage were read`;
  }
}

/** Reads a file while it is unpacked. A damaged file is read up to the damage, and it is also reported as corrupt. */
export async function* readUnpacked(
  readMember: ReadMember,
  innerName: string,
  { name, bytes }: ReaderSource,
  limits: ReadLimits,
): AsyncIterable<ReadPart> {
  const damage: Damage = { detail: null };
  for await (const part of readMember(innerName, { name, bytes: upToDamage(bytes, damage) }, limits)) {
    yield part;
    if (!('reason' in part) && damage.detail !== null) yield { name, reason: 'corrupt', detail: damage.detail };
  }
}
