import { compilePathGlob } from '../../../base/glob.ts';
import { RlmError } from '../../../errors.ts';
import { asksForHidden } from '../../../inputs/find/glob.ts';
import { ToolError } from '../../tool-error.ts';

export type PathGlob = ReturnType<typeof parsePathGlob>;

/** Parses a glob from a model. Throws ToolError for a glob that is too long or has too many alternatives. */
export function parsePathGlob(glob: string) {
  const wanted = glob.replace(/^\.?\/+/, '');
  try {
    return {
      /** Whether the glob matches names that begin with a dot. */
      hidden: asksForHidden(wanted),
      matches: compilePathGlob(wanted),
    };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    throw new ToolError(`${error.message}; write it like src/**/*.{ts,tsx}`);
  }
}
