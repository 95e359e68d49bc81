import { errnoOf, systemDetail } from '../base/files/system.ts';

/**
 * Why a file is no document. `symlink`, `special` (FIFOs, sockets, devices) and `gone` (it disappeared meanwhile) occur
 * below folders, globs and in archives only; a file that the user named is an error when the system refuses it.
 */
export type SkipReason =
  | 'binary'
  | 'empty'
  | 'unreadable'
  | 'symlink'
  | 'special'
  | 'gone'
  | 'corrupt'
  | 'encrypted'
  | 'without text'
  | 'picture'
  | 'unsupported'
  | 'nested archive'
  | 'decompression bomb'
  | 'too large'
  | 'too slow to read';

/** A file that was found and is not read. */
export interface Skipped {
  readonly name: string;
  readonly reason: SkipReason;
  /** The message of the system or of the reader, if there is one. */
  readonly detail?: string;
}

/** Makes the entry for a file or folder that the system refuses. */
export function skippedByError(name: string, error: unknown): Skipped {
  const code = errnoOf(error);
  if (code === 'ENOENT') return { name, reason: 'gone' };
  return { name, reason: 'unreadable', detail: systemDetail(error) };
}
