/** The shared state of a server's tools. */

import { type Files, openFiles } from '../api/open-files.ts';
import { type FileTools, openTools } from '../api/open-tools.ts';
import { listRoles } from '../api/roles.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';
import type { Role } from '../roles/role.ts';
import { type Asking, createAsking } from './asking/asking.ts';
import { type Contexts, createContexts } from './text/contexts.ts';

/** The options of a server. */
export interface ServerOptions {
  /** Files, folders and globs that clients may load, in addition to `tools.roots`. Nothing else is read. */
  readonly paths: readonly string[];
  /** Settings from the command line, by dotted key. */
  readonly flags: ReadonlyMap<string, unknown>;
  /** Names of the file tools to offer, in addition to the server's own tools. */
  readonly fileTools: readonly string[];
  /** Whether several clients may be connected at once. */
  readonly isShared: boolean;
  /** The version of the program. */
  readonly version: string;
}

/** The state that the tools of one server work with. All connections share it. */
export interface World {
  readonly contexts: Contexts;
  readonly asking: Asking;
  /** Null when the user gave no roots. */
  readonly files: Files | null;
  /** The file tools. Null when the user enabled none. */
  readonly fileTools: FileTools | null;
  readonly configuration: Configuration;
  readonly roles: readonly Role[];
  readonly version: string;
  close(): Promise<void>;
}

const mostRuns = 4;

/**
 * Opens the roots and file tools and creates the state of a server.
 * @throws RlmError for invalid settings, a root that does not exist, or file tools without roots.
 */
export async function openWorld(options: ServerOptions): Promise<World> {
  const { paths, flags, fileTools, isShared, version } = options;
  const configuration = loadConfiguration({ flags });
  const { settings } = configuration;
  const roots = [...new Set([...paths, ...settings.tools.roots])];
  if (fileTools.length > 0 && roots.length === 0)
    throw new RlmError('usage', '--tools needs at least one root', {
      hint: 'Give the folders that clients may read: rlm mcp --root . --tools grep,read_file',
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
