import type { Skipped } from '../skipped.ts';
import type { FilePath } from './paths.ts';

export interface Input {
  /** Absolute. */
  readonly path: FilePath;
  /** As the user would type it. */
  readonly name: string;
  /** Whether the user named it, rather than a folder or a glob that it is in. */
  readonly named: boolean;
  /** Whether nothing but a folder above it was named: neither the file nor its ending. */
  readonly isWalked: boolean;
  /** A FIFO or a device (or socket) only where the user named it. */
  readonly kind: 'file' | 'fifo' | 'device';
}

/** An input with its real path, which is the same for the same file. */
export interface LocatedInput extends Input {
  readonly realPath: string;
}

export interface Located {
  readonly inputs: readonly LocatedInput[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}
