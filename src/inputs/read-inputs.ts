import { createPacer } from '../base/time.ts';
import { RlmError } from '../errors.ts';
import { type FoundInputs, type Input, unreadableInput } from './find/find-inputs.ts';
import { readDocument } from './read-document.ts';
import { openInput } from './read-file.ts';
import { skippedAs, tooSlow, UnreadableFile } from './readers/reader.ts';
import type { InputReading, OnPiece, ReadOutcome } from './reading.ts';
import { type Skipped, skippedByError } from './skipped.ts';

const scratchBytes = 64 * 1024;

/** Reads files into the store, and skips those without readable text. Throws RlmError, or the signal's reason. */
export async function readInputs(found: FoundInputs, reading: InputReading): Promise<ReadOutcome> {
  const { total, onProgress, signal } = reading;
  const skipped: Skipped[] = [...found.skipped];
  const warnings: string[] = [...found.warnings];
  const scratch = Buffer.alloc(scratchBytes);
  const pace = createPacer(20);
  for (const [files, input] of found.inputs.entries()) {
    await pace();
    signal.throwIfAborted();
    const report = () => onProgress({ files, bytes: total.bytes(), name: input.name });
    if (input.named) await report();
    const outcome = await readInput(input, scratch, reading, input.named ? report : null);
    skipped.push(...outcome.skipped);
    warnings.push(...outcome.warnings);
    await onProgress({ files: files + 1, bytes: total.bytes() });
  }
  return { skipped, warnings };
}

async function readInput(input: Input, scratch: Buffer, reading: InputReading, onPiece: OnPiece): Promise<ReadOutcome> {
  const { signal } = reading;
  try {
    const one = input.isWalked ? { ...reading, takesPictures: false } : reading;
    return await readDocument(input.name, await openInput(input, scratch, { ...reading, late: tooSlow }), one, onPiece);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnreadableFile) return { skipped: [skippedAs(input.name, error)], warnings: [] };
    if (error instanceof RlmError) throw error;
    if (input.named) throw unreadableInput(input.name, error);
    return { skipped: [skippedByError(input.name, error)], warnings: [] };
  }
}
