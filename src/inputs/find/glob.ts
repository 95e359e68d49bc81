import { resolve } from 'node:path';
import picomatch from 'picomatch';
import { displayName } from './paths.ts';

/** A glob pattern, split into the folder to walk and a test for the paths below it. */
export interface Glob {
  /** Absolute path of the deepest folder that the pattern names without wildcards. */
  readonly folder: string;
  /** The same as the user would type it; empty for the current folder. */
  readonly name: string;
  /** Whether the pattern asks for names that begin with a dot. */
  readonly hidden: boolean;
  /** How many levels of folders can hold a match. */
  readonly levels: number;
  /**
   * Whether a path below the folder matches. Names that begin with a dot match only where the pattern spells the
   * dot.
   */
  matches(below: string): boolean;
}

const options = { nonegate: true, unescape: true } as const;

/** Parses a path as a glob (with `**`, braces and extended globs); null when it holds no wildcard. */
export function parseGlob(path: string, cwd: string): Glob | null {
  const { isGlob, base, glob } = picomatch.scan(path, options);
  if (!isGlob) return null;
  return {
    folder: resolve(cwd, base),
    name: displayName(base === '' ? '.' : base, cwd),
    hidden: /(^|[/{,(|])\./.test(glob),
    levels: /\*\*|[({]/.test(glob) ? Number.POSITIVE_INFINITY : glob.split('/').length,
    matches: picomatch(glob, options),
  };
}
