import { type ByteSource, copiesOf } from './read-file.ts';
import { type Reader, type ReadPart, skippedAs } from './readers/reader.ts';
import { type InputReading, joinOutcomes, type ReadOutcome } from './reading.ts';
import type { Skipped } from './skipped.ts';
import { writeText } from './write-text.ts';

/** Stores the documents that a file contains, and closes the source. */
export async function readParts(name: string, source: ByteSource, reader: Reader, reading: InputReading) {
  const { total, encoding, maxUnpackRatio, readTimeoutMs, signal } = reading;
  const limits = { maxBytes: total.maxBytes, encoding, maxUnpackRatio, timeoutMs: readTimeoutMs, signal };
  const outcomes: ReadOutcome[] = [];
  try {
    for await (const part of reader.read({ name, bytes: copiesOf(source) }, limits)) {
      outcomes.push(await takePart(part, reading));
    }
  } catch (error) {
    outcomes.push({ skipped: [skippedAs(name, error)], warnings: [] });
  } finally {
    source.close();
  }
  return joinOutcomes(outcomes);
}

const skippedPart = ({ name, reason, detail }: Skipped): Skipped => ({ name, reason, ...(detail && { detail }) });

async function takePart(part: ReadPart, reading: InputReading): Promise<ReadOutcome> {
  if (part.scan !== undefined && (await reading.takeScan?.(part.scan))) return { skipped: [], warnings: [] };
  if ('reason' in part) return { skipped: [skippedPart(part)], warnings: [] };
  const { name, source, encoding, isExtracted } = part;
  try {
    const { skipped, warnings } = await writeText(name, source, { ...reading, encoding, isExtracted }, null);
    return { skipped, warnings: [...part.warnings, ...warnings] };
  } catch (error) {
    return { skipped: [skippedAs(name, error)], warnings: [] };
  }
}
