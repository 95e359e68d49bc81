import type { Skipped } from '../skipped.ts';
import type { FilePath } from './paths.ts';

/** A file to read. */
export interface Input {
  /** Absolute. */
  readonly path: FilePath;
  /** As the user would type it. */
  readonly name: string;
  /** Whether the user named it, rather than a folder or a glob that it is in. */
  readonly named: boolean;
  /** Only what the user named can be something else than a file; `device` stands for sockets, too. */
  readonly kind: 'file' | 'fifo' | 'device';
}

/** An input with the path that tells whether two are the same file. */
export interface LocatedInput extends Input {
  readonly realPath: string;
}

/** What one path comes to. */
export interface Located {
  readonly inputs: readonly LocatedInput[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}
