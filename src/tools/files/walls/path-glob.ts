import { compilePathGlob } from '../../../base/glob.ts';
import { RlmError } from '../../../errors.ts';
import { asksForHidden } from '../../../inputs/find/glob.ts';
import { ToolError } from '../../tool-error.ts';

/** A glob that a model wrote. */
export interface PathGlob {
  /** Whether it asks for names that begin with a dot. */
  readonly hidden: boolean;
  /** Whether a path matches; for a glob without folders, whether its last name does. */
  matches(path: string): boolean;
}

/**
 * Reads a glob as those of the user are read.
 * @throws ToolError for one that stands for too many.
 */
export function parsePathGlob(glob: string): PathGlob {
  const wanted = glob.replace(/^\.?\/+/, '');
  try {
    return { hidden: asksForHidden(wanted), matches: compilePathGlob(wanted) };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    throw new ToolError(`${error.message}; write it like src/**/*.{ts,tsx}`);
  }
}
