import { readOwnTextIfAny } from '../base/files/own-file.ts';
import { nearest } from '../base/nearest.ts';
import { RlmError } from '../errors.ts';
import { nearestSetting, settingsByKey } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One source of settings. */
export interface SettingLayer {
  /** Returns where a key is set: `shipped defaults`, a file, a variable, a flag or `settings` (the calling program). */
  readonly origin: (key: string) => string;
  readonly values: ReadonlyMap<string, unknown>;
  /** Whether the values are known to be valid, as the shipped defaults are. */
  readonly isOurs?: boolean;
}

const invalid = (message: string, hint: string) => new RlmError('config-invalid', message, { hint });

function readJsonFile(path: string): unknown | undefined {
  const text = readOwnTextIfAny(path, (why) =>
    invalid(`${path} cannot be read (${why})`, 'Replace it with a readable JSON file, or move it away.'),
  );
  if (text === null) return undefined;
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // Removes the text around the error, which Node's message quotes and which may contain a password.
    const why = (error as Error).message
      .replace(/, (?:\.{3})?".*is not valid JSON$/s, '')
      .replace(/^Unexpected token '.*'/s, 'it has an unexpected character');
    throw invalid(`${path} is not JSON: ${why}`, 'Correct the file. rlm config path shows which files are read.');
  }
}

function flatten(value: unknown, path: string, prefix = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(
      `${path}: ${prefix ? prefix.slice(0, -1) : 'the file'} must be an object`,
      'rlm config list shows the settings.',
    );
  }
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const key = prefix + name;
    if (prefix === '' && [shippedMark, '$schema'].includes(name)) return [];
    if (settingsByKey.has(key)) return [[key, inner]];
    if ([...settingsByKey.keys()].some((known) => known.startsWith(`${key}.`))) return flatten(inner, path, `${key}.`);
    throw unknownKey(key, path);
  });
}

function unknownKey(key: string, place: string): RlmError {
  const near = nearestSetting(key);
  const meant = near ? `Did you mean "${near}"? ` : '';
  const hint = `${meant}If the setting belongs to another version of rlm, remove it from the file; rlm config list shows the settings of this version.`;
  return invalid(`${place}: unknown setting "${key}"`, hint);
}

/** The key that marks the shipped defaults. A project file with this key is not read. */
export const shippedMark = '$shipped';

export function isShippedFile(path: string): boolean {
  const content = readJsonFile(path);
  return typeof content === 'object' && content !== null && Object.hasOwn(content, shippedMark);
}

/** Returns the settings of a file; null if the file does not exist. Throws RlmError `config-invalid`. */
export function fileLayer(path: string): SettingLayer | null {
  const content = readJsonFile(path);
  return content === undefined ? null : { origin: () => path, values: new Map(flatten(content, path)) };
}

/**
 * Converts text from a flag or the environment to the setting's type: `1` to true, JSON to its value, `a,b` to a list.
 * Returns other text unchanged.
 */
function typed(key: string, text: unknown): unknown {
  const passes = (value: unknown) => 'value' in settingsByKey.get(key)!.check(value);
  if (typeof text !== 'string' || passes(text)) return text;
  if ((text === '1' || text === '0') && passes(true)) return text === '1';
  const list = text.split(',').map((item) => item.trim());
  try {
    return JSON.parse(text);
  } catch {
    return passes(list) ? list : text;
  }
}

/** Returns the settings from environment variables. If several variables of a setting are set, the first wins. */
export function environmentLayer(env: Environment): SettingLayer {
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

/**
 * Returns the settings from flags.
 * @param environment the layer of the environment. If RLM_AUDIT_DIR names a folder, `--audit` uses that folder.
 */
export function flagLayer(flags: ReadonlyMap<string, unknown>, environment: SettingLayer): SettingLayer {
  const values = new Map([...flags].map(([key, value]) => [key, typed(key, value)]));
  const folder = environment.values.get('audit');
  if (values.get('audit') === true && typeof folder === 'string') values.set('audit', folder);
  // A resumed run also passes settings of the calling program here. If a setting has no flag, its key is the origin.
  return { origin: (key) => settingsByKey.get(key)!.flag?.match(/--[\w-]+/)?.[0] ?? key, values };
}

export const programOrigin = 'settings';

/** Returns the settings from the calling program. Throws RlmError `config-invalid` for an unknown key. */
export function programLayer(settings: ReadonlyMap<string, unknown>): SettingLayer {
  for (const key of settings.keys()) if (!settingsByKey.has(key)) throw unknownKey(key, programOrigin);
  return { origin: () => programOrigin, values: settings };
}

/** Returns a warning for each variable that begins with `RLM_` and belongs to no setting. */
export function unknownVariables(env: Environment): string[] {
  const known = [...settingsByKey.values()].flatMap((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('RLM_') && !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      return `unknown environment variable ${name}${near ? `; did you mean ${near}?` : ''}`;
    });
}
