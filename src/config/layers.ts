import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { RlmError } from '../errors.ts';
import { findSecrets } from '../secrets/known-secrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { isAddress, isSecret } from './login.ts';
import { nearest } from './nearest.ts';
import { packageRoot } from './package-root.ts';
import { nearestSetting, type Settings, settingsByKey } from './settings.ts';
import { checkUntrusted, isTrusted, realPath } from './trust.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One source of settings. Later layers win over earlier ones. */
interface Layer {
  /** How it is shown: `shipped defaults`, a file's path, an environment variable, a flag. */
  readonly origin: (key: string) => string;
  readonly values: ReadonlyMap<string, unknown>;
  /** Whether the values need no check: our own, which a test checks. */
  readonly isOurs?: boolean;
}

/** A file that may hold settings. */
interface ConfigurationFile {
  readonly path: string;
  readonly role: 'project' | 'user' | 'shipped defaults';
  readonly found: boolean;
}

/** The settings in force, and where each came from. */
export interface Configuration {
  readonly settings: Settings;
  /** By dotted key. */
  readonly origins: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, unknown>;
  /** What was given with the question, as flags or by a program. */
  readonly given: ReadonlyMap<string, unknown>;
  /** Keys whose value in force was chosen by a project file that the user does not trust. */
  readonly untrusted: ReadonlySet<string>;
  /** The folder that relative paths are meant from. */
  readonly cwd: string;
  /** The files that may hold settings, and whether each was there. */
  readonly files: readonly ConfigurationFile[];
  readonly warnings: readonly string[];
  /** Knows the secrets of the environment and of every layer. */
  readonly redactor: Redactor;
}

export interface ConfigurationSources {
  /** By dotted key, as given on the command line: text. */
  readonly flags?: ReadonlyMap<string, unknown>;
  /** By dotted key, as a program gives them: of the setting's type. They win over everything. */
  readonly settings?: ReadonlyMap<string, unknown>;
  readonly env?: Environment;
  readonly cwd?: string;
}

const invalid = (message: string, hint: string) => new RlmError('config-invalid', message, { hint });

function readJsonFile(path: string): unknown | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw invalid(`${path} cannot be read (${code})`, 'Make the file readable, or move it away.');
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // Node quotes the text around the mistake, and a password may stand there.
    const why = (error as Error).message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '');
    throw invalid(`${path} is not JSON: ${why}`, 'Mend the file. rlm config path shows which files are read.');
  }
}

/** A file's nested settings by dotted key; unknown keys are refused with the nearest right one. */
function flatten(value: unknown, path: string, prefix = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(
      `${path}: ${prefix ? prefix.slice(0, -1) : 'the file'} must be an object`,
      'rlm config list shows the settings.',
    );
  }
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const key = prefix + name;
    if (name === '$schema' && prefix === '') return [];
    if (settingsByKey.has(key)) return [[key, inner]];
    if ([...settingsByKey.keys()].some((known) => known.startsWith(`${key}.`))) return flatten(inner, path, `${key}.`);
    throw unknownKey(key, path);
  });
}

function unknownKey(key: string, place: string): RlmError {
  const near = nearestSetting(key);
  return invalid(
    `${place}: unknown setting "${key}"`,
    near ? `Did you mean "${near}"?` : 'rlm config list shows the settings.',
  );
}

function fileLayer(path: string): Layer | null {
  const content = readJsonFile(path);
  return content === undefined ? null : { origin: () => path, values: new Map(flatten(content, path)) };
}

/** How switches are thrown in an environment. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['0', false],
]);

/** Text from a flag or the environment as the setting's type; what does not fit stays text and is refused later. */
function typed(key: string, text: unknown): unknown {
  const passes = (value: unknown) => 'value' in settingsByKey.get(key)!.check(value);
  if (typeof text !== 'string' || passes(text)) return text;
  if (passes(switches.get(text))) return switches.get(text);
  const list = text.split(',').map((item) => item.trim());
  try {
    return JSON.parse(text);
  } catch {
    return passes(list) ? list : text;
  }
}

function environmentLayer(env: Environment): Layer {
  const names = new Map<string, string>();
  const values = new Map<string, unknown>();
  for (const [key, { env: candidates }] of settingsByKey) {
    const name = candidates.find((candidate) => env[candidate]);
    if (name === undefined) continue;
    names.set(key, name);
    values.set(key, typed(key, env[name]));
  }
  return { origin: (key) => names.get(key)!, values };
}

function flagLayer(flags: ReadonlyMap<string, unknown>): Layer {
  const values = new Map([...flags].map(([key, value]) => [key, typed(key, value)]));
  return { origin: (key) => settingsByKey.get(key)!.flag!.match(/--[\w-]+/)![0], values };
}

const programOrigin = 'settings';

/** The origin of a setting that nobody has set. */
export const shippedOrigin = 'shipped defaults';

function programLayer(settings: ReadonlyMap<string, unknown>): Layer {
  for (const key of settings.keys()) if (!settingsByKey.has(key)) throw unknownKey(key, programOrigin);
  return { origin: () => programOrigin, values: settings };
}

function unknownVariables(env: Environment): string[] {
  const known = [...settingsByKey.values()].flatMap((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('RLM_') && !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      return `unknown environment variable ${name}${near ? `; did you mean ${near}?` : ''}`;
    });
}

/** The user's own configuration file (XDG Base Directory Specification 0.8, which ignores relative paths). */
/** The user's own configuration file. */
export function userFilePath(env: Environment): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const base = isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.config');
  return join(base, 'rlm', 'config.json');
}

function merge(layers: readonly Layer[], redactor: Redactor): Pick<Configuration, 'values' | 'origins'> {
  const values = new Map<string, unknown>();
  const origins = new Map<string, string>();
  for (const [key, { check, about }] of settingsByKey) {
    for (const layer of layers) {
      if (!layer.values.has(key)) continue;
      const given = layer.values.get(key);
      const checked = layer.isOurs ? { value: given } : check(given);
      if ('expected' in checked) throw wrongValue(key, about, layer, checked.expected, redactor);
      values.set(key, checked.value);
      origins.set(key, layer.origin(key));
    }
  }
  return { values, origins };
}

function wrongValue(key: string, about: string, layer: Layer, expected: string, redactor: Redactor): RlmError {
  const shown = redactor.text(JSON.stringify(layer.values.get(key)) ?? 'nothing');
  const origin = layer.origin(key);
  const isNamedByKey = origin.endsWith('.json') || origin === programOrigin;
  const place = isNamedByKey ? `${origin}: "${key}"` : origin;
  const code = origin.startsWith('--') ? 'usage' : 'config-invalid';
  return new RlmError(code, `${place} cannot be ${shown.slice(0, 80)}: ${expected}`, { hint: `${key}: ${about}.` });
}

/** What stays secret, also of a value that another layer overrides. */
function redactorFor(layers: readonly Layer[], env: Environment): Redactor {
  const given = layers.flatMap(({ values }) => [...values]);
  const valuesOf = (wanted: (key: string) => boolean) =>
    given.flatMap(([key, value]) => (wanted(key) && typeof value === 'string' ? [value] : []));
  const texts = layers.filter(({ isOurs }) => !isOurs).map(({ values }) => JSON.stringify([...values]));
  return createRedactor(findSecrets({ env, addresses: valuesOf(isAddress), values: valuesOf(isSecret), texts }));
}

function nest(values: ReadonlyMap<string, unknown>): Settings {
  const root: Record<string, unknown> = {};
  for (const [key, value] of values) {
    const parts = key.split('.');
    const last = parts.pop()!;
    let place = root;
    for (const part of parts) {
      place[part] ??= {};
      place = place[part] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return root as unknown as Settings;
}

/** The files that may hold settings. In the package's own folder its defaults are not a project's file as well. */
export function configurationFiles({ env = process.env, cwd = process.cwd() }: ConfigurationSources = {}) {
  const shipped = join(packageRoot, 'rlm.config.json');
  const project = join(cwd, 'rlm.config.json');
  const user = userFilePath(env);
  return [
    { path: project, role: 'project', found: existsSync(project) && realPath(project) !== realPath(shipped) },
    { path: user, role: 'user', found: existsSync(user) },
    { path: shipped, role: 'shipped defaults', found: true },
  ] as const satisfies readonly ConfigurationFile[];
}

/**
 * Reads every layer (a program's settings, flags, then `RLM_*`, `./rlm.config.json`, the user's file, the shipped defaults) and checks each
 * value that is given, also those that another layer overrides.
 * @throws RlmError naming the file, flag or variable, the key, and the nearest right one: `config-invalid`, or `usage`
 *   for a flag.
 */
export function loadConfiguration(sources: ConfigurationSources = {}): Configuration {
  const { flags = new Map(), settings = new Map(), env = process.env, cwd = process.cwd() } = sources;
  const files = configurationFiles({ env, cwd });
  const [projectFile, userFile, shippedFile] = files;
  const shipped = { ...fileLayer(shippedFile.path)!, origin: () => shippedOrigin, isOurs: true };
  const user = userFile.found ? fileLayer(userFile.path) : null;
  const project = projectFile.found ? fileLayer(projectFile.path) : null;
  const trusted = isTrusted(cwd, user?.values.get('trustedProjects'));
  if (project && !trusted) checkUntrusted(project.values, projectFile.path, userFile.path);

  const given = [environmentLayer(env), flagLayer(flags), programLayer(settings)];
  const layers = [shipped, user, project, ...given].filter((layer) => layer !== null);
  const redactor = redactorFor(layers, env);
  const { values, origins } = merge(layers, redactor);
  const fromProject = [...origins].filter(([, origin]) => origin === projectFile.path).map(([key]) => key);
  return {
    settings: nest(values),
    values,
    origins,
    given: new Map([...flags, ...settings]),
    untrusted: new Set(trusted ? [] : fromProject),
    cwd,
    files,
    warnings: unknownVariables(env),
    redactor,
  };
}
