import { RlmError } from '../errors.ts';
import type { ToolSpec } from '../prompts/prompt.ts';
import type { Tool, ToolWorld } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import type { FilesOptions } from './open-files.ts';

/** Which tools, over which files. */
export interface ToolsOptions extends FilesOptions {
  /** Their names; default: all that need nothing but files. */
  readonly names?: readonly string[];
}

/** Tools that a model may use to look into files; they only read, and only under the roots. */
export interface FileTools {
  /** Each with the JSON Schema of its arguments. */
  readonly specs: readonly ToolSpec[];
  /**
   * Carries one out.
   * @returns text for a model, at most 20,000 UTF-16 units and 400 lines; what is left out is named.
   * @throws RlmError `usage` for a tool or arguments that are wrong, `input-missing`, `pattern-invalid`; the signal's
   *   reason.
   */
  call(name: string, given: unknown, signal?: AbortSignal): Promise<string>;
}

const bounds = { characters: 20_000, lines: 400 };

/** Tools that need text or further questions are of no use without a run. */
const isOffered = ({ needs }: Tool) => needs === 'texts' || needs === 'several texts' || needs === 'code';

async function loadTools() {
  const [
    { tools, checkToolNames },
    { todaysName },
    { readCall },
    { toSpec },
    { createFileAccess },
    { createContextStore },
    { computedPassage },
  ] = await Promise.all([
    import('../tools/index.ts'),
    import('../tools/read-call.ts'),
    import('../tools/read-call.ts'),
    import('../tools/toolbox.ts'),
    import('../tools/files/walls/file-access.ts'),
    import('../context/store/store.ts'),
    import('../context/computed-passage.ts'),
  ]);
  return { tools, checkToolNames, todaysName, readCall, toSpec, createFileAccess, createContextStore, computedPassage };
}

/** Every tool that a model may use, with what it does. */
export async function listTools(): Promise<readonly { readonly name: string; readonly about: string }[]> {
  const { tools } = await import('../tools/index.ts');
  return tools.map(({ name, about }) => ({ name, about }));
}

/**
 * Opens the tools that read files.
 * @throws RlmError `config-invalid` for a name that is no such tool, `input-missing` for a root that does not exist.
 */
export async function openTools({ roots, names, cwd = process.cwd() }: ToolsOptions): Promise<FileTools> {
  const { tools, checkToolNames, todaysName, readCall, toSpec, createFileAccess, createContextStore, computedPassage } =
    await loadTools();
  const wanted = names ?? tools.filter(isOffered).map(({ name }) => name);
  checkToolNames(wanted, 'tools');
  const chosen = tools.filter((tool) => wanted.map(todaysName).includes(tool.name) && isOffered(tool));
  const files = createFileAccess(roots, { cwd, unguarded: false });
  const store = createContextStore();
  const noRun = (): never => {
    throw new RlmError('usage', 'this needs a run');
  };
  const world: Omit<ToolWorld, 'signal'> = {
    ...{ bounds, store, files, pieceBytes: bounds.characters, questions: null },
    ...{ find: async () => [], note: noRun, compute: computedPassage },
  };

  async function call(name: string, args: unknown, signal = new AbortController().signal): Promise<string> {
    try {
      const { tool, given } = readCall({ tool: name, arguments: args }, chosen);
      const result = await tool.run(given, { ...world, signal });
      return typeof result === 'string' ? result : result(bounds).text;
    } catch (error) {
      throw error instanceof ToolError ? new RlmError('usage', error.message) : error;
    }
  }

  return { specs: chosen.map(toSpec), call };
}
