import type { FileLines } from '../../src/tools/files/file-passage.ts';
import { createFileAccess, type FileAccessOptions } from '../../src/tools/files/walls/file-access.ts';
import type { Bounds, Tool, ToolWorld } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';

interface WorldOptions extends Partial<FileAccessOptions> {
  readonly roots?: readonly string[];
  readonly bounds?: Bounds;
  readonly signal?: AbortSignal;
}

/** The world of tools that read the files of a folder. */
export const fileWorld = (cwd: string, options: WorldOptions = {}): ToolWorld => citingWorld(cwd, options).world;

/** The same, with the passages that the tools offered for citation; each is called P7. */
export function citingWorld(cwd: string, options: WorldOptions = {}) {
  const { roots = ['.'], bounds = { characters: 20_000, lines: 200 }, unguarded = false } = options;
  const signal = options.signal ?? new AbortController().signal;
  const cited: FileLines[] = [];
  const cite = (lines: FileLines) => {
    cited.push(lines);
    return 'P7';
  };
  const files = createFileAccess(roots, { cwd, unguarded });
  return { world: { bounds, signal, files, cite } as unknown as ToolWorld, cited };
}

/** The message of a refused call. */
export async function refusal<A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<string> {
  const error = await tool.run(given, world).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error.message;
  throw new Error('it was not refused', { cause: error });
}
