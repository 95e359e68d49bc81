import type { Settings } from '../config/settings.ts';
import { RlmError } from '../errors.ts';
import type { Document } from './document.ts';
import { createInputTotal } from './input-total.ts';
import { asText, type Bounds, isReadable, type ReadDocuments, readDocuments } from './read-documents.ts';
import type { Skipped } from './skipped.ts';
import { isUrl, shownUrl } from './urls.ts';

/** Text given by a program. */
export interface GivenDocument {
  /** What citations call it. */
  readonly name: string;
  /** Bytes may also be a PDF or the like, whose text is then got out of it. */
  readonly text: string | Uint8Array;
  /** Whether bytes are text as they are, whatever the name and they look like; default: no. */
  readonly asIs?: boolean;
}

/** Documents, and what was noticed while they were read. */
export interface Inputs {
  readonly documents: readonly Document[];
  /** How many of the documents, the first ones, were given and are in no file. */
  readonly given: number;
  readonly warnings: readonly string[];
}

interface GatherOptions {
  /** Files, folders, globs and addresses of pages. */
  readonly paths: readonly string[];
  /** Files that the run itself writes, which are not read. */
  readonly written: readonly string[];
  readonly given: Promise<readonly GivenDocument[]>;
  readonly cwd: string;
  readonly settings: Settings['inputs'];
  readonly signal: AbortSignal;
}

const namedPerReason = 3;

function countReason(reason: string, names: readonly string[]): string {
  const shown = names.slice(0, namedPerReason).join(', ');
  return `${names.length} ${reason} (${shown}${names.length > namedPerReason ? ', …' : ''})`;
}

const nameSkipped = ({ name, detail }: Skipped): string => (detail === undefined ? name : `${name}: ${detail}`);

/** `2 binary (logo.png, a.bin), 1 corrupt (x.pdf: Invalid PDF structure)`. */
function countSkipped(skipped: readonly Skipped[]): string {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  const namesOf = (wanted: string) => skipped.filter(({ reason }) => reason === wanted).map(nameSkipped);
  return reasons.map((reason) => countReason(reason, namesOf(reason))).join(', ');
}

const shownPath = (path: string): string => (isUrl(path) ? shownUrl(path) : path);

function skippedStrictly(skipped: readonly Skipped[]): RlmError {
  return new RlmError('input-unreadable', `not all files can be read: ${countSkipped(skipped)}`, {
    hint: 'Leave them out (.rlmignore), mend them, or ask without --strict (inputs.strict).',
  });
}

function nothingReadable(paths: readonly string[], skipped: readonly Skipped[]): RlmError {
  const why = skipped.length > 0 ? `: ${countSkipped(skipped)}` : '';
  return new RlmError('input-empty', `there is no readable text in ${paths.map(shownPath).join(', ')}${why}`, {
    hint: 'Name text files. Folders leave out hidden files and what .gitignore and .rlmignore ignore; a file named itself is always read.',
  });
}

async function readPaths({ paths, written, cwd, signal }: GatherOptions, bounds: Bounds) {
  const files = paths.filter((path) => !isUrl(path));
  if (files.length === 0) return { documents: [], skipped: [], warnings: [] };
  const { readInputs } = await import('./read-inputs.ts');
  return readInputs({ paths: files, written, cwd, signal, ...bounds });
}

async function readUrls({ paths, settings, signal }: GatherOptions, bounds: Bounds): Promise<ReadDocuments> {
  const urls = paths.filter(isUrl);
  if (urls.length === 0) return { documents: [], skipped: [] };
  const { readUrl } = await import('./fetch-url.ts');
  return together(await Promise.all(urls.map((url) => readUrl(url, settings.allowUrls, bounds, signal))));
}

async function readOneGiven(given: GivenDocument, bounds: Bounds, signal: AbortSignal): Promise<ReadDocuments> {
  const { name, text, asIs = typeof text === 'string' } = given;
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (!asIs && !isReadable(name, bytes)) return skippedAsBinary(name);
  const reserve = bounds.total.reserveFor(name);
  reserve(bytes.length);
  return asIs ? asText(name, bytes, reserve) : readDocuments(name, name, bytes, bounds, signal);
}

const skippedAsBinary = (name: string): ReadDocuments => ({ documents: [], skipped: [{ name, reason: 'binary' }] });

async function readGiven({ given, signal }: GatherOptions, bounds: Bounds): Promise<ReadDocuments> {
  return together(await Promise.all((await given).map((one) => readOneGiven(one, bounds, signal))));
}

const together = (read: readonly ReadDocuments[]): ReadDocuments => ({
  documents: read.flatMap(({ documents }) => documents),
  skipped: read.flatMap(({ skipped }) => skipped),
});

/**
 * All text of a run: what a program gives, such as piped text, then the files, then what is at addresses.
 * @throws RlmError as `readInputs` and `readUrl` do, `input-empty` when paths were named and nothing is readable, and
 *   `input-unreadable` when a file was skipped and the settings are strict
 */
export async function gatherInputs(options: GatherOptions): Promise<Inputs> {
  const { strict, maxBytes, readTimeout } = options.settings;
  const bounds = { total: createInputTotal(maxBytes), readTimeoutMs: readTimeout * 1000 };
  const reading = [readGiven(options, bounds), readPaths(options, bounds), readUrls(options, bounds)] as const;
  const [given, files, pages] = await Promise.all(reading);
  const [texts, fetched] = [given.documents, pages.documents].map((read) => read.map(({ document }) => document));
  const documents = [...texts!, ...files.documents, ...fetched!];
  const skipped = [...given.skipped, ...files.skipped, ...pages.skipped];
  if (strict && skipped.length > 0) throw skippedStrictly(skipped);
  const named = [...(await options.given).map(({ name }) => name), ...options.paths];
  if (documents.length === 0 && named.length > 0) throw nothingReadable(named, skipped);
  const notes = skipped.length > 0 ? [`skipped: ${countSkipped(skipped)}`] : [];
  const decoding = [...given.documents, ...pages.documents].flatMap(({ warnings }) => warnings);
  return { documents, given: texts!.length, warnings: [...decoding, ...files.warnings, ...notes] };
}
