import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse, visit } from 'jsonc-parser';
import { parse as parseToml, stringify } from 'smol-toml';
import { readOwnTextIfAny } from '../../base/files/own-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { isObject } from '../../base/is-object.ts';
import { nearest } from '../../base/nearest.ts';
import { createProcessRedactor } from '../../config/layers.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Invocation } from '../command.ts';
import { printable, say } from '../terminal.ts';

const serverName = 'rlm';

function clientNamed(name: string | undefined): ClientSpec {
  const known = clients.map((client) => client.name);
  const found = clients.find((client) => client.name === name);
  if (found !== undefined) return found;
  const near = name === undefined ? null : nearest(name, known);
  const problem = name === undefined ? 'rlm mcp install needs the name of a client' : `unknown client "${name}"`;
  throw new RlmError('usage', problem, {
    hint: near ? `Did you mean ${near}?` : `The clients are ${known.join(', ')}.`,
  });
}

interface ConfigurationFormat {
  readonly about: string;
  /** Parses a text. Throws when it is not valid. */
  read(text: string): unknown;
  /** Adds or replaces the entry for rlm in the object at `key`. The caller checks the result. */
  insert(text: string, key: string, value: EntryValue): string;
  comments(text: string): readonly string[];
}

const json: ConfigurationFormat = {
  about: 'a JSON object',
  read(text) {
    const errors: ParseError[] = [];
    const value: unknown = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new Error('not valid JSON');
    return value;
  },
  insert(text, key, value) {
    const before = text.trim() === '' ? '{}\n' : text;
    const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? '  ';
    const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
    // A file of one line stays one line.
    const isOneLine = /^\s*\{.*\S.*\}\s*$/.test(before);
    return applyEdits(before, modify(before, [key, serverName], value, isOneLine ? {} : { formattingOptions }));
  },
  comments(text) {
    const found: string[] = [];
    visit(text, { onComment: (start, length) => void found.push(text.slice(start, start + length)) });
    return found;
  },
};

const isTomlHeader = (line: string) => /^\s*\[/.test(line);
const isBlankOrComment = (line: string) => /^\s*(?:#|$)/.test(line);

const toml: ConfigurationFormat = {
  about: 'valid TOML',
  read: (text) => structuredClone(parseToml(text, { integersAsBigInt: 'asNeeded' })),
  /** Adds or replaces the section. Keeps the comments above the section that follows. */
  insert(text, key, value) {
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    const section = stringify({ [key]: { [serverName]: value } })
      .trimEnd()
      .replaceAll('\n', lineEnd);
    const lines = text.split(lineEnd);
    const own = lines.findIndex((line) => line.replace(/#.*|[\s"']/g, '') === `[${key}.${serverName}]`);
    if (own === -1) return `${text.trimEnd()}${text.trim() === '' ? '' : lineEnd.repeat(2)}${section}${lineEnd}`;
    const next = lines.findIndex((line, at) => at > own && isTomlHeader(line));
    const end = next === -1 ? lines.length : next;
    const last = lines.findLastIndex((line, at) => at < end && !isBlankOrComment(line));
    return [...lines.slice(0, own + 1), ...section.split(lineEnd).slice(1), ...lines.slice(last + 1)].join(lineEnd);
  },
  comments: (text) => text.match(/#.*/g) ?? [],
};

/** The keys of an entry for a server that the client reaches over HTTP. */
const ofHttp = ['url', 'httpUrl', 'serverUrl', 'type', 'headers'];

/** Adds the entry and keeps the rest, including other keys of an old entry. Throws if other content would be lost. */
function withEntry(text: string, { key = 'mcpServers', format = json }: ClientSpec, value: EntryValue, path: string) {
  const refused = (problem: string) =>
    new RlmError('config-invalid', `${path} ${problem}; it was not changed`, {
      hint: `Correct it, or add the entry by hand:\n${format.insert('', key, value)}`,
    });
  const read = (from: string): unknown => {
    try {
      return format.read(from);
    } catch {
      return null;
    }
  };
  if (text.includes('\ufffd')) throw refused('is not UTF-8');
  const before = read(text);
  if (!isObject(before)) throw refused(`is not ${format.about}`);
  const servers = Object.hasOwn(before, key) ? before[key] : {};
  if (!isObject(servers)) throw refused(`must have an object at "${key}" that maps names to servers`);
  const old = servers[serverName];
  const isKept = ([name]: [string, unknown]) =>
    name === 'env' || name === 'environment' || !(Object.hasOwn(value, name) || ofHttp.includes(name));
  const kept = Object.entries(isObject(old) ? old : {}).filter(isKept);
  const entry = { ...value, ...Object.fromEntries(kept) };
  if (isDeepStrictEqual(old, entry)) return text;
  const after = format.insert(text, key, entry);
  const isWhole = format.comments(text).every((comment) => after.includes(comment));
  const wanted = { ...before, [key]: { ...servers, [serverName]: entry } };
  if (isWhole && isDeepStrictEqual(read(after), wanted)) return after;
  const place = Object.hasOwn(servers, serverName) ? `${key}.${serverName}` : key;
  throw refused(`has "${place}" in a form, or with comments, that this command cannot change`);
}

/** Returns the lines from the first to the last difference, marked with - and +. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const lines = (mark: string, all: readonly string[]) =>
    all.slice(start, all.length - end).map((line) => `${mark} ${line}`);
  return [...lines('-', old), ...lines('+', now)].map(printable).join('\n');
}

/** Creates a redactor of secrets such as `"API_KEY": "…"` in JSON or TOML. A number makes each name unique. */
function redactorOf(text: string): Redactor {
  const pairs = [...text.matchAll(/([\w-]+)["']?\s*[:=]\s*["']([^"'\n]+)/g)];
  return createProcessRedactor(
    Object.fromEntries(pairs.map(([, name, value], at) => [`${at}_${name}`, value])),
    [],
    [],
  );
}

const realOrNull = (path: string): string | null => {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
};

const ownProgram = (): string => realOrNull(process.argv[1]!) ?? process.argv[1]!;

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => realOrNull(join(folder, 'rlm')) === program);
}

/** Replaces `cwd` at the beginning of a path with `folder`. Returns other paths unchanged. */
function sharedPath(path: string, cwd: string, folder: string): string {
  const below = relative(cwd, path).split(sep).join('/');
  if (below === '') return folder;
  return /^\.\.(\/|$)/.test(below) || isAbsolute(below) ? path : posix.join(folder, below);
}

function entryFor({ sharedFolder }: ClientSpec, paths: readonly string[], cwd: string): Entry {
  const roots = paths.length === 0 ? [cwd] : paths.map((path) => resolve(cwd, path));
  if (sharedFolder !== undefined)
    return { command: 'rlm', args: ['mcp', ...roots.map((root) => sharedPath(root, cwd, sharedFolder))] };
  const program = ownProgram();
  if (isOnPath(program)) return { command: 'rlm', args: ['mcp', ...roots] };
  return { command: process.execPath, args: [program, 'mcp', ...roots] };
}

export async function runInstall(
  [name, ...paths]: readonly (string | undefined)[],
  invocation: Invocation,
): Promise<ExitCode> {
  const { options, stdout } = invocation;
  const client = clientNamed(name);
  const cwd = process.cwd();
  const path = client.file(cwd);
  const unreadable = (why: string) =>
    new RlmError('output-unwritable', `${path} cannot be read (${why})`, {
      hint: 'Run the command without --write and add the entry by hand.',
    });
  const entry = entryFor(client, paths as string[], cwd);
  const value = client.toValue?.(entry) ?? { ...entry };
  if (entry.command === 'rlm' && !isOnPath(ownProgram()))
    say(invocation, 'note: the entry starts rlm, which is not on your search path; npm install -g adds it');
  if (options['write'] !== true) {
    stdout.write(withEntry('', client, value, path));
    say(invocation, `this entry for ${client.title} belongs in ${path}; --write adds it there`);
    return 0;
  }
  const before = readOwnTextIfAny(path, unreadable) ?? '';
  const after = withEntry(before, client, value, path);
  if (after === before) {
    say(invocation, `${path} already has the entry`);
    return 0;
  }
  stdout.write(`${redactorOf(before).text(difference(before, after))}\n`);
  await replaceFile(path, after);
  say(invocation, `wrote ${path}. ${client.nextStep}`);
  return 0;
}

type Entry = { readonly command: string; readonly args: readonly string[] };
type EntryValue = Readonly<Record<string, unknown>>;

interface ClientSpec {
  readonly name: string;
  readonly title: string;
  file(cwd: string): string;
  /** Default: JSON. */
  readonly format?: ConfigurationFormat;
  /** The project's folder in the notation of the file. Absent if the users of the project do not share the file. */
  readonly sharedFolder?: string;
  /** The key of the object that maps names to servers; default: `mcpServers`. */
  readonly key?: string;
  toValue?(entry: Entry): EntryValue;
  readonly nextStep: string;
}

/** The time limit of a call, in seconds, for clients whose default limit is a minute or less. */
const longestCall = 600;

/** A variable that some editors replace with the project's folder. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the editor fills it in.
const workspaceFolder = '${workspaceFolder}';

function desktopFolder(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}

function zedFolder(): string {
  if (process.platform === 'win32') return join(desktopFolder(), 'Zed');
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'zed');
}

const clients: readonly ClientSpec[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: (cwd) => join(cwd, '.mcp.json'),
    sharedFolder: '.',
    nextStep: 'Start claude in this folder and allow the server when claude asks; /mcp shows the server.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: () => join(desktopFolder(), 'Claude', 'claude_desktop_config.json'),
    nextStep: 'Restart Claude Desktop.',
  },
  {
    name: 'vscode',
    title: 'Visual Studio Code',
    file: (cwd) => join(cwd, '.vscode', 'mcp.json'),
    sharedFolder: workspaceFolder,
    key: 'servers',
    toValue: (entry) => ({ type: 'stdio', ...entry }),
    nextStep: 'Open the folder; "MCP: List Servers" shows rlm.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: (cwd) => join(cwd, '.cursor', 'mcp.json'),
    sharedFolder: workspaceFolder,
    nextStep: 'Open the folder; the settings of Cursor list rlm under MCP.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    file: () => join(homedir(), '.codeium', 'windsurf', 'mcp_config.json'),
    nextStep: 'Refresh the list of servers in Cascade.',
  },
  {
    name: 'codex',
    title: 'Codex',
    file: () => join(process.env['CODEX_HOME'] || join(homedir(), '.codex'), 'config.toml'),
    format: toml,
    key: 'mcp_servers',
    toValue: (entry) => ({ ...entry, tool_timeout_sec: longestCall }),
    nextStep: 'Start codex; /mcp shows the server.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: (cwd) => join(cwd, '.gemini', 'settings.json'),
    sharedFolder: '.',
    nextStep: 'Start gemini in this folder; /mcp shows the server.',
  },
  {
    name: 'opencode',
    title: 'opencode',
    file: (cwd) => join(cwd, 'opencode.json'),
    sharedFolder: '.',
    key: 'mcp',
    toValue: ({ command, args }) => {
      return { type: 'local', command: [command, ...args], enabled: true, timeout: longestCall * 1000 };
    },
    nextStep: 'Start opencode in this folder; opencode mcp list shows the server.',
  },
  {
    name: 'zed',
    title: 'Zed',
    file: () => join(zedFolder(), 'settings.json'),
    key: 'context_servers',
    toValue: (entry) => ({ source: 'custom', ...entry, env: {} }),
    nextStep: 'The settings of the Agent Panel list rlm.',
  },
  {
    name: 'lm-studio',
    title: 'LM Studio',
    file: () => join(homedir(), '.lmstudio', 'mcp.json'),
    toValue: (entry) => ({ ...entry, timeout: longestCall * 1000 }),
    nextStep: 'Turn rlm on in the Program tab of LM Studio.',
  },
];
