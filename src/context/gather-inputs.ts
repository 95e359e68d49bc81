import { RlmError } from '../errors.ts';
import { decodeDocument, isBinary } from './decode.ts';
import type { Document } from './document.ts';
import type { Skipped } from './skipped.ts';

/** Text given by a program. */
export interface GivenDocument {
  /** What citations call it. */
  readonly name: string;
  readonly text: string | Uint8Array;
}

/** Documents, and what was noticed while they were read. */
export interface Inputs {
  readonly documents: readonly Document[];
  readonly warnings: readonly string[];
}

interface GatherOptions {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  /** Files that the run itself writes, which are not read. */
  readonly written: readonly string[];
  readonly given: Promise<readonly GivenDocument[]>;
  readonly cwd: string;
  /** Of all files together, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const namedPerReason = 3;

function countReason(reason: string, names: readonly string[]): string {
  const shown = names.slice(0, namedPerReason).join(', ');
  return `${names.length} ${reason} (${shown}${names.length > namedPerReason ? ', …' : ''})`;
}

/** `2 binary (logo.png, a.zip), 1 empty (x.txt)`. */
function countSkipped(skipped: readonly Skipped[]): string {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  const namesOf = (wanted: string) => skipped.filter(({ reason }) => reason === wanted).map(({ name }) => name);
  return reasons.map((reason) => countReason(reason, namesOf(reason))).join(', ');
}

function nothingReadable(paths: readonly string[], skipped: readonly Skipped[]): RlmError {
  const why = skipped.length > 0 ? `: ${countSkipped(skipped)}` : '';
  return new RlmError('input-empty', `there is no readable text in ${paths.join(', ')}${why}`, {
    hint: 'Name text files. Folders leave out hidden files and what .gitignore and .rlmignore ignore; a file named itself is always read.',
  });
}

async function readPaths({ paths, written, cwd, maxBytes, signal }: GatherOptions) {
  if (paths.length === 0) return { documents: [], skipped: [], warnings: [] };
  const { readInputs } = await import('./read-inputs.ts');
  return readInputs({ paths, written, cwd, maxBytes, signal });
}

/**
 * All text of a run: what a program gives, such as piped text, and then the files.
 * @throws RlmError as `readInputs` does, and `input-empty` when paths were named and nothing is readable.
 */
export async function gatherInputs(options: GatherOptions): Promise<Inputs> {
  const [read, given] = await Promise.all([readPaths(options), options.given]);
  const binary = given.filter(({ text }) => typeof text !== 'string' && isBinary(text));
  const decoded = given
    .filter((document) => !binary.includes(document))
    .map(({ name, text }) => decodeDocument(name, typeof text === 'string' ? Buffer.from(text) : text));
  const { documents, warnings } = read;
  const skipped = [...binary.map(({ name }): Skipped => ({ name, reason: 'binary' })), ...read.skipped];
  const named = [...given.map(({ name }) => name), ...options.paths];
  if (documents.length + decoded.length === 0 && named.length > 0) throw nothingReadable(named, skipped);
  return {
    documents: [...decoded.map(({ document }) => document), ...documents],
    warnings: [
      ...decoded.flatMap((one) => one.warnings),
      ...warnings,
      ...(skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : []),
    ],
  };
}
