import { openContext } from '../api/open-context.ts';
import { openFiles } from '../api/open-files.ts';
import { openTools } from '../api/open-tools.ts';
import { listRoles } from '../api/roles.ts';
import { wait } from '../base/abort.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';
import { createAsking } from './asking/asking.ts';
import { createContexts } from './text/contexts.ts';

export interface ServerOptions {
  /** Files, folders and globs that clients may load, in addition to `tools.roots`. */
  readonly paths: readonly string[];
  /** Settings from the command line, by dotted key such as `budget.maxCalls`. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Names of the file tools to offer in addition to the server's own tools. */
  readonly fileTools: readonly string[];
  /** The index for questions that name no text; null: none. */
  readonly index: string | null;
  /** Called with messages about updates of the index. Null: the server does not update the index. */
  readonly onWatch: ((message: string) => void) | null;
  readonly isShared: boolean;
  readonly version: string;
}

/** The state of a server, which all its connections share. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Maximum size of a message, in bytes. It leaves room for content of 64 MB, which is longer when escaped in JSON. */
export const largestMessage = 160 * 1024 * 1024;

const mostClosingMs = 5_000;

/**
 * Ends the process after 5 s if it is still alive: a client may have stopped reading, or work may ignore its signal.
 * @param signal its reason decides the exit status.
 */
export const endSoon = ({ reason }: AbortSignal): void =>
  void setTimeout(() => process.exit((reason as RlmError | undefined)?.exitCode), mostClosingMs).unref();

const takeoverMs = 5_000;

/** Updates an index until the signal aborts. Waits while another process updates it. Reports an error and then ends. */
async function keepFresh(
  name: string,
  configuration: Configuration,
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { watchIndex } = await import('../api/indexes.ts');
  const onBatch = ({ missing, warnings }: { readonly missing: number; readonly warnings: readonly string[] }) => {
    if (missing > 0) say(warnings.at(-1)!); // The last warning says how many files are missing.
  };
  try {
    await watchIndex(name, configuration, { onBatch, onRefused: ({ message }) => say(message), signal });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof RlmError) || error.code !== 'index-busy') return say(`${name}: ${(error as Error).message}`);
    await wait(takeoverMs, signal).catch(() => {});
    return keepFresh(name, configuration, say, signal);
  }
}

/**
 * Creates the state of a server.
 * @throws RlmError for invalid settings, a root that does not exist, or file tools without roots.
 */
export async function openWorld(options: ServerOptions) {
  const { paths, flags, fileTools, index, onWatch, isShared, version } = options;
  const configuration = loadConfiguration({ flags });
  const { settings } = configuration;
  const roots = [...new Set([...paths, ...settings.tools.roots])];
  if (fileTools.length > 0 && roots.length === 0)
    throw new RlmError('usage', '--tools needs at least one root', {
      hint: 'Give the folders that clients may read: rlm mcp --root . --tools grep,read_file',
    });
  const files = roots.length === 0 ? null : await openFiles({ roots });
  const tools = fileTools.length === 0 ? null : await openTools({ roots, names: fileTools });
  if (index !== null) await (await openContext({ index, configuration })).close();
  const ended = new AbortController();
  if (index !== null && onWatch !== null) void keepFresh(index, configuration, onWatch, ended.signal);
  const contexts = createContexts(configuration, isShared);
  const asking = createAsking({ flags, roots });
  return {
    ...{ contexts, asking, files, index, fileTools: tools, configuration, roles: await listRoles(), version },
    async close(): Promise<void> {
      ended.abort();
      await asking.close();
      await contexts.close();
    },
  };
}
