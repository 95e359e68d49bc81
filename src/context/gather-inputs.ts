import { RlmError } from '../errors.ts';
import { decodeDocument, isBinary } from './decode.ts';
import type { Document } from './document.ts';
import { createInputTotal, type InputTotal } from './input-total.ts';
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
  /** How many of the documents, the first ones, were given and are in no file. */
  readonly given: number;
  readonly warnings: readonly string[];
}

interface GatherOptions {
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  /** Files that the run itself writes, which are not read. */
  readonly written: readonly string[];
  readonly given: Promise<readonly GivenDocument[]>;
  readonly cwd: string;
  /** Of all text together, in bytes. */
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

async function readPaths({ paths, written, cwd, signal }: GatherOptions, total: InputTotal) {
  if (paths.length === 0) return { documents: [], skipped: [], warnings: [] };
  const { readInputs } = await import('./read-inputs.ts');
  return readInputs({ paths, written, cwd, total, signal });
}

/** Documents of given text; null for what is binary. */
async function readGiven(given: GatherOptions['given'], total: InputTotal) {
  return (await given).map(({ name, text }) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (typeof text !== 'string' && isBinary(bytes)) return { name, decoded: null };
    const decoded = decodeDocument(name, bytes);
    total.reserveFor(name)(decoded.document.bytes.length);
    return { name, decoded };
  });
}

/**
 * All text of a run: what a program gives, such as piped text, and then the files.
 * @throws RlmError as `readInputs` does, and `input-empty` when paths were named and nothing is readable.
 */
export async function gatherInputs(options: GatherOptions): Promise<Inputs> {
  const total = createInputTotal(options.maxBytes);
  const [read, given] = await Promise.all([readPaths(options, total), readGiven(options.given, total)]);
  const texts = given.flatMap(({ decoded }) => decoded ?? []);
  const binary = given.filter(({ decoded }) => decoded === null);
  const documents = [...texts.map(({ document }) => document), ...read.documents];
  const skipped = [...binary.map(({ name }): Skipped => ({ name, reason: 'binary' })), ...read.skipped];
  const named = [...given.map(({ name }) => name), ...options.paths];
  if (documents.length === 0 && named.length > 0) throw nothingReadable(named, skipped);
  const notes = skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : [];
  const warnings = [...texts.flatMap((one) => one.warnings), ...read.warnings, ...notes];
  return { documents, given: texts.length, warnings };
}
