import { isBinary } from './decode.ts';
import type { FileFormat } from './pictures.ts';
import type { ByteSource } from './read-file.ts';
import { chooseReader } from './readers/index.ts';
import type { InputReading, OnPiece, ReadOutcome } from './reading.ts';
import type { Skipped } from './skipped.ts';
import { writeText } from './write-text.ts';

const begins = (head: Uint8Array, ...bytes: readonly number[]) => bytes.every((byte, index) => head[index] === byte);

function pictureFormat(head: Uint8Array): FileFormat | null {
  if (begins(head, 0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (begins(head, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  const isWebp = begins(head, 0x52, 0x49, 0x46, 0x46) && begins(head.subarray(8), 0x57, 0x45, 0x42, 0x50);
  if (isWebp) return 'image/webp';
  return begins(head, 0x49, 0x49, 0x2a, 0) || begins(head, 0x4d, 0x4d, 0, 0x2a) ? 'image/tiff' : null;
}

const unnamed = 'name the file and a vision model to have it read: --vision-model ollama/qwen2.5vl:7b';

/** Reads a source into the store, in the format that its file name and first bytes show; closes the source. */
export async function readDocument(
  name: string,
  source: ByteSource,
  reading: InputReading,
  onPiece: OnPiece,
  fileName = name,
): Promise<ReadOutcome> {
  const reader = chooseReader(fileName, source.head);
  if (reader !== null) return (await import('./read-parts.ts')).readParts(name, source, reader, reading);
  const format = reading.takeScan === null ? null : pictureFormat(source.head);
  if (format !== null && reading.takesPictures)
    return (await import('./read-pages.ts')).takePicture(name, source, format, reading);
  if (!isBinary(source.head, reading.encoding)) return writeText(name, source, reading, onPiece);
  source.close();
  const skipped: Skipped = format === null ? { name, reason: 'binary' } : { name, reason: 'picture', detail: unnamed };
  return { skipped: [skipped], warnings: [] };
}
