import { resolve } from 'node:path';
import { alternativesOf, compileGlob, splitGlob } from '../../base/glob.ts';
import { displayName } from './paths.ts';

/** A glob pattern, split into the folder to walk and a test for the paths below it. */
export interface Glob {
  /** Absolute path of the deepest folder that the pattern names without wildcards. */
  readonly folder: string;
  /** The folder as the user would type it; empty for the current folder. */
  readonly name: string;
  readonly hidden: boolean;
  /** How many levels of folders can hold a match; 1: only `folder` itself. */
  readonly levels: number;
  /** Whether a path in `folder` matches. A name that begins with a dot matches only if the pattern has the dot. */
  matches(below: string): boolean;
}

/** Whether a glob asks for names that begin with a dot. */
export const asksForHidden = (glob: string): boolean =>
  alternativesOf(glob).some((alternative) => /(?:^|\/)\\?\.(?!\/)/.test(alternative));

/** Parses a path as a glob; null when it holds no wildcard. Throws `usage` for a glob with too many alternatives. */
export function parseGlob(path: string, cwd: string): Glob | null {
  const parts = splitGlob(path);
  if (parts === null) return null;
  const { base, rest } = parts;
  const depths = alternativesOf(rest).map((one) =>
    one.includes('**') ? Number.POSITIVE_INFINITY : one.split('/').length,
  );
  return {
    folder: resolve(cwd, base),
    name: displayName(base === '' ? '.' : base, cwd),
    hidden: asksForHidden(rest),
    levels: Math.max(...depths),
    matches: compileGlob(rest),
  };
}
