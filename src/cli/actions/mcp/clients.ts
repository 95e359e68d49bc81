/** The configuration file of each MCP client and its format, from the documentation of the client. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The command with which a client starts the server. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** A client's configuration. */
export interface ClientSpec {
  readonly name: string;
  readonly title: string;
  /** Returns the path of the file that lists its servers. */
  file(cwd: string): string;
  readonly form: 'json' | 'toml';
  /**
   * Whether the file belongs to the project, and so to everybody who works on it: then it names no path of this
   * machine. The value is how it names the project's folder.
   */
  readonly sharedFolder: string | null;
  /** The key of the object that maps names to servers. */
  readonly key: string;
  /** Converts an entry to the client's format. */
  toValue(entry: Entry): Readonly<Record<string, unknown>>;
  /** What the user does after the entry is written. */
  readonly nextStep: string;
}

/** The longest call, in seconds, for clients that end a call after a minute or less. */
const longestCall = 600;

/** What some editors replace by the folder of the project. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the editor fills it in.
const workspaceFolder = '${workspaceFolder}';

const plain = ({ command, args }: Entry) => ({ command, args });

/** Returns the settings folder of desktop programs. */
function desktopFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}

function zedFolder(): string {
  if (process.platform === 'win32') return join(desktopFolder(), 'Zed');
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'zed');
}

/** Every client that `rlm mcp install` supports. */
export const clients: readonly ClientSpec[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: (cwd) => join(cwd, '.mcp.json'),
    form: 'json',
    sharedFolder: '.',
    key: 'mcpServers',
    toValue: plain,
    nextStep: 'Start claude in this folder and allow the server when it asks; /mcp shows it.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: () => join(desktopFolder(), 'Claude', 'claude_desktop_config.json'),
    form: 'json',
    sharedFolder: null,
    key: 'mcpServers',
    toValue: plain,
    nextStep: 'Restart Claude Desktop.',
  },
  {
    name: 'vscode',
    title: 'Visual Studio Code',
    file: (cwd) => join(cwd, '.vscode', 'mcp.json'),
    form: 'json',
    sharedFolder: workspaceFolder,
    key: 'servers',
    toValue: (entry) => ({ type: 'stdio', ...plain(entry) }),
    nextStep: 'Open the folder; "MCP: List Servers" shows it.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: (cwd) => join(cwd, '.cursor', 'mcp.json'),
    form: 'json',
    sharedFolder: workspaceFolder,
    key: 'mcpServers',
    toValue: plain,
    nextStep: 'Open the folder; the settings of Cursor list it under MCP.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    file: () => join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
    form: 'json',
    sharedFolder: null,
    key: 'mcpServers',
    toValue: plain,
    nextStep: 'Refresh the list of servers in Cascade.',
  },
  {
    name: 'codex',
    title: 'Codex',
    file: () => join(process.env['CODEX_HOME'] || join(homedir(), '.codex'), 'config.toml'),
    form: 'toml',
    sharedFolder: null,
    key: 'mcp_servers',
    toValue: (entry) => ({ ...plain(entry), tool_timeout_sec: longestCall }),
    nextStep: 'Start codex; /mcp shows it.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: (cwd) => join(cwd, '.gemini', 'settings.json'),
    form: 'json',
    sharedFolder: '.',
    key: 'mcpServers',
    toValue: plain,
    nextStep: 'Start gemini in this folder; /mcp shows it.',
  },
  {
    name: 'opencode',
    title: 'opencode',
    file: (cwd) => join(cwd, 'opencode.json'),
    form: 'json',
    sharedFolder: '.',
    key: 'mcp',
    toValue: ({ command, args }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      timeout: longestCall * 1000,
    }),
    nextStep: 'Start opencode in this folder; opencode mcp list shows it.',
  },
  {
    name: 'zed',
    title: 'Zed',
    file: () => join(zedFolder(), 'settings.json'),
    form: 'json',
    sharedFolder: null,
    key: 'context_servers',
    toValue: (entry) => ({ source: 'custom', ...plain(entry), env: {} }),
    nextStep: 'The settings of the Agent Panel list it.',
  },
  {
    name: 'lm-studio',
    title: 'LM Studio',
    file: () => join(homedir(), '.lmstudio', 'mcp.json'),
    form: 'json',
    sharedFolder: null,
    key: 'mcpServers',
    toValue: (entry) => ({ ...plain(entry), timeout: longestCall * 1000 }),
    nextStep: 'Turn it on in the Program tab of LM Studio.',
  },
];
