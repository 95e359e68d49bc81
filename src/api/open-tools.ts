import { RlmError } from '../errors.ts';
import type { Tool, ToolWorld } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';

/** The largest result of a tool. `characters` counts UTF-16 units. */
const bounds = { characters: 20_000, lines: 400 };

const isOffered = ({ needs }: Tool) => needs === 'texts' || needs === 'several texts' || needs === 'code';

export async function listTools(): Promise<readonly { readonly name: string; readonly about: string }[]> {
  const { tools } = await import('../tools/index.ts');
  return tools.map(({ name, about }) => ({ name, about }));
}

/**
 * Opens the tools that read files.
 * @throws RlmError `config-invalid` for an unknown tool or one that needs a run, `input-missing` for a root
 *   that does not exist.
 */
export async function openTools({ roots, names }: Readonly<Record<'roots' | 'names', readonly string[]>>) {
  const [{ tools, checkToolNames }, { readCall }, { toSpec }, { createFileAccess }, store, computed] =
    await Promise.all([
      import('../tools/index.ts'),
      import('../tools/read-call.ts'),
      import('../tools/toolbox.ts'),
      import('../tools/files/walls/file-access.ts'),
      import('../context/store/store.ts').then(({ createContextStore }) => createContextStore()),
      import('../context/computed-passage.ts'),
    ]);
  const offered = tools.filter(isOffered).map(({ name }) => name);
  checkToolNames(names, 'tools');
  const refused = names.find((name) => !offered.includes(name));
  if (refused !== undefined) {
    const hint = `Name only tools that read files: ${offered.join(', ')}.`;
    throw new RlmError('config-invalid', `the tool "${refused}" works only in a run`, { hint });
  }
  const chosen = tools.filter(({ name }) => names.includes(name));
  const files = createFileAccess(roots, { cwd: process.cwd(), unguarded: false });
  const noRun = (): never => {
    throw new RlmError('usage', 'the tool needs a run');
  };
  const world: Omit<ToolWorld, 'signal'> = {
    ...{ bounds, store, files, pieceBytes: bounds.characters, questions: null },
    ...{ find: async () => [], note: noRun, compute: computed.computedPassage },
  };

  /**
   * Runs a tool.
   * @returns text for a model, within `bounds`. The text says what was omitted.
   * @throws RlmError `usage` for a wrong tool or wrong arguments, `input-missing`, `pattern-invalid`; the signal's
   *   reason.
   */
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
