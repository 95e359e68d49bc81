import { createFileAccess, type FileAccessOptions } from '../../src/tools/files/walls/file-access.ts';
import type { Bounds, Tool, ToolWorld } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';
import { worldOf } from './tool-world.ts';

interface WorldOptions extends Partial<FileAccessOptions> {
  readonly roots?: readonly string[];
  readonly bounds?: Bounds;
  readonly signal?: AbortSignal;
}

/** Creates the world of tools that read the files of a folder. */
export function fileWorld(cwd: string, options: WorldOptions = {}): ToolWorld {
  const { roots = ['.'], bounds = { characters: 20_000, lines: 200 }, unguarded = false } = options;
  const files = createFileAccess(roots, { cwd, unguarded });
  return worldOf({}, { bounds, files, ...(options.signal && { signal: options.signal }) });
}

/** Returns the message of a refused call. */
export async function refusal<A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<string> {
  const error = await tool.run(given, world).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error.message;
  throw new Error('it was not refused', { cause: error });
}
