/** What the tools of one server work with. */
import {
  type Configuration,
  type Files,
  type FileTools,
  listRoles,
  loadConfiguration,
  openFiles,
  openTools,
  RlmError,
  type Role,
} from '../index.ts';
import { type Asking, createAsking } from './asking/asking.ts';
import { type Contexts, createContexts } from './text/contexts.ts';

/** What a server is started with. */
export interface ServerOptions {
  /** Files, folders and globs that clients may load, besides the roots of the settings; nothing else is read. */
  readonly paths: readonly string[];
  /** Settings as given on the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Names of tools that look into files, besides the tools of the server; empty: none. */
  readonly fileTools: readonly string[];
  /** Whether several clients may be connected at the same time. */
  readonly isShared: boolean;
  /** Of the program. */
  readonly version: string;
}

/** What the tools of one server work with; all connections to it share it. */
export interface World {
  readonly contexts: Contexts;
  readonly asking: Asking;
  /** Null where the user gave no roots. */
  readonly files: Files | null;
  /** Tools that look into files; null where none were asked for. */
  readonly fileTools: FileTools | null;
  readonly configuration: Configuration;
  readonly roles: readonly Role[];
  readonly version: string;
  close(): Promise<void>;
}

const mostRuns = 4;

/**
 * Prepares what the tools work with.
 * @throws RlmError for wrong settings, a root that does not exist, or file tools without roots.
 */
export async function openWorld(options: ServerOptions): Promise<World> {
  const { paths, flags, fileTools, isShared, version } = options;
  const configuration = loadConfiguration({ flags });
  const { settings } = configuration;
  const roots = [...new Set([...paths, ...settings.tools.roots])];
  if (fileTools.length > 0 && roots.length === 0)
    throw new RlmError('usage', '--tools names tools that read files, and there is no root', {
      hint: 'Name folders that clients may read: rlm mcp --root . --tools grep,read_file',
    });
  const files = roots.length === 0 ? null : await openFiles({ roots });
  const tools = fileTools.length === 0 ? null : await openTools({ roots, names: fileTools });
  const contexts = createContexts({ configuration, isShared });
  const asking = createAsking({ flags, roots, mostRuns });
  return {
    contexts,
    asking,
    files,
    fileTools: tools,
    configuration,
    roles: await listRoles(),
    version,
    async close() {
      await asking.close();
      await contexts.close();
    },
  };
}
