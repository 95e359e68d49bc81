import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnText } from '../base/files/own-file.ts';
import { RlmError } from '../errors.ts';
import { findSecrets } from '../secrets/known-secrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { packageRoot, userFilePath } from './folders.ts';
import { isAddress, isSecret } from './login.ts';
import {
  type Environment,
  environmentLayer,
  fileLayer,
  flagLayer,
  isShippedFile,
  programLayer,
  programOrigin,
  type SettingLayer,
  shippedMark,
  unknownVariables,
} from './setting-layers.ts';
import { type Settings, settingsByKey } from './settings.ts';
import { checkUntrusted, isTrusted, realPath } from './trust.ts';

export const shippedOrigin = 'shipped defaults';

/** The settings in force, and where each value comes from. */
export interface Configuration {
  readonly settings: Settings;
  /** The origin of each value, by dotted key. */
  readonly origins: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, unknown>;
  /** Settings from flags or from the calling program, by dotted key. */
  readonly given: ReadonlyMap<string, unknown>;
  /** Keys whose value in force comes from a project file that the user does not trust, or from a client. */
  readonly untrusted: ReadonlySet<string>;
  /** References to models that the user did not choose. Such a model may run only on its provider's own host. */
  readonly unchosen: ReadonlySet<string>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: Environment;
  readonly files: ReturnType<typeof configurationFiles>;
  readonly warnings: readonly string[];
  /** Redacts the secrets of the environment and of every layer. */
  readonly redactor: Redactor;
}

export interface ConfigurationSources {
  /** The value of each flag on the command line, by dotted key: a text, or a boolean for a flag without a value. */
  readonly flags?: ReadonlyMap<string, unknown>;
  /** Values from the calling program, by dotted key. Each has the type of its setting. They override other layers. */
  readonly settings?: ReadonlyMap<string, unknown>;
  /** References in `settings` to models that the user did not choose. */
  readonly unchosen?: ReadonlySet<string>;
  readonly env?: Environment;
  readonly cwd?: string;
}

/**
 * Creates the redactor of a process before anything else is read, so that error messages about an invalid command line
 * or configuration are redacted, too.
 * @param args the words of the command line.
 * @param addresses the words of the command line that are addresses.
 */
export function createProcessRedactor(
  env: Environment,
  args: readonly string[],
  addresses: readonly string[],
): Redactor {
  const texts = [...args];
  for (const pathOf of [() => 'rlm.config.json', () => userFilePath(env)]) {
    try {
      texts.push(readOwnText(pathOf()));
    } catch {
      // No message can show the content of a file that cannot be read.
    }
  }
  return createRedactor(findSecrets({ env, addresses, texts }));
}

function merge(layers: readonly SettingLayer[], redactor: Redactor): Pick<Configuration, 'values' | 'origins'> {
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

function wrongValue(key: string, about: string, layer: SettingLayer, expected: string, redactor: Redactor): RlmError {
  const shown = redactor.text(JSON.stringify(layer.values.get(key)) ?? 'nothing');
  const origin = layer.origin(key);
  const isNamedByKey = origin.endsWith('.json') || origin === programOrigin;
  const place = isNamedByKey ? `${origin}: "${key}"` : origin;
  const code = origin.startsWith('--') ? 'usage' : 'config-invalid';
  // The hint omits the allowed values, because the message lists them. In `about`, a colon or a bracket precedes them.
  const meaning = expected.startsWith('expected one of ') ? about.split(/:| \(/)[0] : about;
  return new RlmError(code, `${place} cannot be ${shown.slice(0, 80)}: ${expected}`, { hint: `${key}: ${meaning}.` });
}

/** Creates a redactor of the secrets in all layers, including values that another layer overrides. */
function redactorFor(layers: readonly SettingLayer[], env: Environment): Redactor {
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

/** Returns the files that may hold settings. A project file marked as shipped defaults has `found: false`. */
export function configurationFiles({ env = process.env, cwd = process.cwd() }: ConfigurationSources = {}) {
  const shipped = join(packageRoot, 'rlm.config.json');
  const project = join(cwd, 'rlm.config.json');
  const user = userFilePath(env);
  return [
    { path: project, role: 'project', found: existsSync(project) && !isShippedFile(project) },
    { path: user, role: 'user', found: existsSync(user) },
    { path: shipped, role: 'shipped defaults', found: true },
  ] as const;
}

const leftOutNote = (path: string): string =>
  `${path} is a copy of the shipped defaults and is not read; to use it, remove "${shippedMark}" from it`;

/**
 * Reads every layer and checks its values, including values that another layer overrides. The layers, highest
 * precedence first: the calling program, flags, the environment, `./rlm.config.json`, the user's file, the defaults.
 * @throws RlmError `usage` for an invalid flag and `config-invalid` for any other invalid value. The message names the
 *   file, flag or variable.
 */
export function loadConfiguration(sources: ConfigurationSources = {}): Configuration {
  const { flags = new Map(), settings = new Map(), env = process.env, cwd = process.cwd() } = sources;
  const { unchosen = new Set<string>() } = sources;
  const files = configurationFiles({ env, cwd });
  const [projectFile, userFile, shippedFile] = files;
  const shipped = { ...fileLayer(shippedFile.path)!, origin: () => shippedOrigin, isOurs: true };
  const user = userFile.found ? fileLayer(userFile.path) : null;
  const project = projectFile.found ? fileLayer(projectFile.path) : null;
  const trusted = isTrusted(cwd, user?.values.get('trustedProjects'));
  if (project && !trusted) checkUntrusted(project.values, projectFile.path, user?.values ?? new Map(), userFile.path);

  const environment = environmentLayer(env);
  const upper = [environment, flagLayer(flags, environment), programLayer(settings)];
  const layers = [shipped, user, project, ...upper].filter((layer) => layer !== null);
  const redactor = redactorFor(layers, env);
  const { values, origins } = merge(layers, redactor);
  const isCopy = !projectFile.found && existsSync(projectFile.path);
  const leftOut =
    isCopy && realPath(projectFile.path) !== realPath(shippedFile.path) ? [leftOutNote(projectFile.path)] : [];
  const fromProject = [...origins].filter(([, origin]) => origin === projectFile.path).map(([key]) => key);
  return {
    ...{ settings: nest(values), values, origins, cwd, env, files },
    given: new Map([...flags, ...settings]),
    untrusted: new Set([
      ...(trusted ? [] : fromProject),
      ...(unchosen.has(String(values.get('model'))) ? ['model'] : []),
    ]),
    unchosen,
    warnings: [...unknownVariables(env), ...leftOut],
    redactor,
  };
}
