import { resolve } from 'node:path';
import { RlmError } from '../errors.ts';
import type { Document } from './document.ts';
import { type FindOptions, findInputs, type Input, unreadableInput } from './find-inputs.ts';
import { mapConcurrent } from './map-concurrent.ts';
import { createPacer } from './pacer.ts';
import { type Bounds, isReadable, type ReadDocuments, readDocuments } from './read-documents.ts';
import { readInput } from './read-file.ts';
import { type Skipped, skippedByError } from './skipped.ts';

/** What to read, and how much of it at most. */
export interface ReadInputsOptions extends FindOptions, Bounds {
  /** Told after each file how many files were read so far, skipped ones included, and how many bytes are held. */
  readonly onProgress?: (progress: { readonly files: number; readonly bytes: number }) => void;
}

/** What was read. Either list may be empty. */
export interface ReadInputs {
  /** In the order of the paths, sorted by name within a folder or a glob; each file once. */
  readonly documents: readonly Document[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

const maxOpenFiles = 16;
const scratchBytes = 64 * 1024;

/**
 * The text of files, folders and globs. Below folders and globs, what `.gitignore` and `.rlmignore` ignore, hidden
 * files and symbolic links are left out; a file that is named itself is always read. Binary and empty files are skipped, and those that a
 * reader can make nothing of.
 * @throws RlmError `input-missing`, `input-unreadable` (what the user named cannot be read), `input-too-large`,
 *   `usage` (a path that is nothing but what the run writes); the signal's reason
 */
export async function readInputs(options: ReadInputsOptions): Promise<ReadInputs> {
  const { total, signal, onProgress } = options;
  const found = await findInputs({ ...options, cwd: resolve(options.cwd) });
  const scratches: Buffer[] = [];
  const pace = createPacer(20);
  let files = 0;
  const results = await mapConcurrent(found.inputs, maxOpenFiles, signal, async (input, either) => {
    await pace();
    const scratch = scratches.pop() ?? Buffer.alloc(scratchBytes);
    const result = await readInputDocuments(input, scratch, options, either);
    scratches.push(scratch);
    onProgress?.({ files: ++files, bytes: total.bytes() });
    return result;
  });
  return {
    documents: results.flatMap(({ documents }) => documents.map(({ document }) => document)),
    skipped: [...found.skipped, ...results.flatMap(({ skipped }) => skipped)],
    warnings: [...found.warnings, ...results.flatMap(({ documents }) => documents.flatMap((one) => one.warnings))],
  };
}

async function readInputDocuments(
  input: Input,
  scratch: Buffer,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<ReadDocuments> {
  const { name } = input;
  const wants = (head: Uint8Array) => isReadable(name, head);
  const reserve = bounds.total.reserveFor(name);
  const bytes = await readInput(input, scratch, wants, reserve, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof RlmError) throw error;
    if (input.named) throw unreadableInput(name, error);
    return skippedByError(name, error);
  });
  if (bytes === null) return { documents: [], skipped: [{ name, reason: 'binary' }] };
  if (!(bytes instanceof Uint8Array)) return { documents: [], skipped: [bytes] };
  return readDocuments(name, name, bytes, bounds, signal);
}
