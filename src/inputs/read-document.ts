import { isBinary } from './decode.ts';
import { type FileFormat, pictureFormat } from './picture-format.ts';
import type { ByteSource } from './read-file.ts';
import { chooseReader } from './readers/index.ts';
import type { Reader } from './readers/reader.ts';
import type { InputReading, OnPiece, ReadOutcome } from './reading.ts';
import { writeText } from './write-text.ts';

/**
 * Reads a source into the store and closes it. Its name and first bytes tell the format: a known one goes through its
 * reader, text is stored as it is, and any other binary file is skipped.
 * @param fileName tells what kind of file it is
 * @throws what reading throws; `input-too-large`, `no-space`.
 */
export function readDocument(
  name: string,
  source: ByteSource,
  reading: InputReading,
  onPiece: OnPiece,
  fileName = name,
): Promise<ReadOutcome> {
  const reader = chooseReader(fileName, source.head);
  if (reader !== null) return readByReader(name, source, reader, reading);
  const format = reading.scans !== null && reading.takesPictures ? pictureFormat(source.head) : null;
  if (format !== null) return readPicture(name, source, format, reading);
  if (!isBinary(source.head)) return writeText(name, source, reading, onPiece);
  source.close();
  return Promise.resolve({ skipped: [{ name, reason: 'binary' }], warnings: [] });
}

async function readPicture(
  name: string,
  source: ByteSource,
  format: FileFormat,
  reading: InputReading,
): Promise<ReadOutcome> {
  const { takePicture } = await import('./read-pages.ts');
  return takePicture(name, source, format, reading);
}

async function readByReader(
  name: string,
  source: ByteSource,
  reader: Reader,
  reading: InputReading,
): Promise<ReadOutcome> {
  const { readParts } = await import('./read-parts.ts');
  return readParts(name, source, reader, reading);
}
