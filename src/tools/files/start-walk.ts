import type { ToolWorld } from '../tool.ts';
import { filesOf } from './walls/open-text.ts';
import { parsePathGlob } from './walls/path-glob.ts';
import type { Walk } from './walls/walk.ts';

/** The files that a call is about, as the model names them. */
interface WantedFiles {
  /** A file or folder; undefined: all that the user gave. */
  readonly path?: string | undefined;
  /** Undefined: all files there. */
  readonly glob?: string | undefined;
}

/**
 * Starts to walk the files that a call is about.
 * @param sizes whether the size of each file is wanted.
 * @throws ToolError for a path or glob that cannot be used.
 */
export async function startWalk({ path, glob }: WantedFiles, world: ToolWorld, sizes: boolean): Promise<Walk> {
  const wanted = glob === undefined ? null : parsePathGlob(glob);
  return filesOf(world).walk(path ?? null, {
    wants: wanted?.matches ?? (() => true),
    hidden: wanted?.hidden ?? false,
    sizes,
    signal: world.signal,
  });
}
