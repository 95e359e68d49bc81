import { errnoOf, systemDetail } from '../base/files/system.ts';
import { RlmError } from '../errors.ts';
import { isUrl, shownUrl } from './urls.ts';

/**
 * The reason why a file was skipped. `symlink`, `special` (FIFOs, sockets, devices) and `gone` (removed
 * during the reading) occur only for files that were found in a folder, by a glob or in an archive.
 */
export type SkipReason =
  | 'binary'
  | 'empty'
  | 'unreadable'
  | 'symlink'
  | 'special'
  | 'gone'
  | 'likely secret'
  | 'corrupt'
  | 'encrypted'
  | 'without text'
  | 'picture'
  | 'unsupported'
  | 'nested archive'
  | 'decompression bomb'
  | 'too large'
  | 'too slow to read';

export interface Skipped {
  readonly name: string;
  readonly reason: SkipReason;
  readonly detail?: string;
}

/** Creates the entry for a file or folder that the system refuses to read. */
export function skippedByError(name: string, error: unknown): Skipped {
  const code = errnoOf(error);
  if (code === 'ENOENT') return { name, reason: 'gone' };
  return { name, reason: 'unreadable', detail: systemDetail(error) };
}

const namedPerReason = 3;

/** Describes the files that were skipped for one reason. A detail that all of them share occurs once. */
function countReason(reason: string, skipped: readonly Skipped[]): string {
  const details = new Set(skipped.map(({ detail }) => detail));
  const [first] = details.size === 1 ? details : [];
  const named = skipped
    .slice(0, namedPerReason)
    .map(({ name, detail }) => (detail === first ? name : `${name}: ${detail}`));
  const shown = [...named, ...(skipped.length > namedPerReason ? ['…'] : [])].join(', ');
  return `${skipped.length} ${reason} (${shown}${first === undefined ? '' : `: ${first}`})`;
}

/** Returns, for example, `2 binary (logo.png, a.bin), 1 corrupt (x.pdf: its content is not valid PDF)`. */
export function countSkipped(skipped: readonly Skipped[]): string {
  const reasons = new Set(skipped.map(({ reason }) => reason));
  const skippedFor = (wanted: SkipReason) => skipped.filter(({ reason }) => reason === wanted);
  return [...reasons].map((reason) => countReason(reason, skippedFor(reason))).join(', ');
}

/** Throws `input-unreadable` if any file was skipped. */
export function refuseSkipped(skipped: readonly Skipped[]): void {
  if (skipped.length === 0) return;
  throw new RlmError('input-unreadable', `not all files can be read: ${countSkipped(skipped)}`, {
    hint: 'Leave these files out (.rlmignore), repair them, or do not use --strict (inputs.strict).',
  });
}

/** Creates the error for inputs that hold no text. */
export function nothingReadable(paths: readonly string[], skipped: readonly Skipped[], notes: readonly string[]) {
  const shown = paths.map((path) => (isUrl(path) ? shownUrl(path) : path)).join(', ');
  const why = skipped.length > 0 ? `: ${countSkipped(skipped)}` : '';
  const isTakenForBinary = skipped.some(({ reason }) => reason === 'binary');
  const encoding = isTakenForBinary ? 'If it is text in Latin-1 or Windows-1252, set inputs.encoding to latin1. ' : '';
  return new RlmError('input-empty', `there is no readable text in ${shown}${why}`, {
    hint:
      notes.join('; ') ||
      `${encoding}Name text files. In a folder, hidden files and files that .gitignore or .rlmignore ignores are left out. A file that you name is read all the same.`,
  });
}
