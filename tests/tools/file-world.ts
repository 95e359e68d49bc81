import { createFileAccess, type FileAccessOptions } from '../../src/tools/files/file-access.ts';
import { type Bounds, type Tool, ToolError, type ToolWorld } from '../../src/tools/tool.ts';

interface WorldOptions extends Partial<FileAccessOptions> {
  readonly roots?: readonly string[];
  readonly bounds?: Bounds;
  readonly signal?: AbortSignal;
}

/** What tools get that look at the files of a folder. */
export function fileWorld(cwd: string, options: WorldOptions = {}): ToolWorld {
  const { roots = ['.'], bounds = { characters: 20_000, lines: 200 }, unguarded = false } = options;
  const signal = options.signal ?? new AbortController().signal;
  return { bounds, signal, files: createFileAccess(roots, { cwd, unguarded }) } as unknown as ToolWorld;
}

/** The words with which a call is refused. */
export async function refusal<A>(tool: Tool<A>, given: A, world: ToolWorld): Promise<string> {
  const error = await tool.run(given, world).catch((thrown: unknown) => thrown);
  if (error instanceof ToolError) return error.message;
  throw new Error('it was not refused', { cause: error });
}
