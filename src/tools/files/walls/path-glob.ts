import { compilePathGlob } from '../../../base/glob.ts';
import { RlmError } from '../../../errors.ts';
import { asksForHidden } from '../../../inputs/find/glob.ts';
import { ToolError } from '../../tool-error.ts';

export type PathGlob = ReturnType<typeof parsePathGlob>;

/** Reads a glob as those of the user are read. Throws ToolError for one that stands for too many. */
export function parsePathGlob(glob: string) {
  const wanted = glob.replace(/^\.?\/+/, '');
  try {
    return {
      /** Whether it asks for names that begin with a dot. */
      hidden: asksForHidden(wanted),
      matches: compilePathGlob(wanted),
    };
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    throw new ToolError(`${error.message}; write it like src/**/*.{ts,tsx}`);
  }
}
