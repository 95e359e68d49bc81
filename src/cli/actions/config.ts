import { type ExitCode, RlmError } from '../../errors.ts';
import {
  type Configuration,
  configurationFiles,
  loadConfiguration,
  nearestSetting,
  resolvePresets,
  settingsByKey,
  shownSetting,
} from '../../index.ts';
import type { Invocation } from '../command.ts';
import { table } from '../render/table.ts';
import { printable, toJson } from '../terminal.ts';

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the value of a setting without passwords and secrets. */
const shownValue = ({ values, redactor }: Configuration, key: string): unknown => {
  return shownSetting(key, redactor.value(values.get(key)));
};

function list(configuration: Configuration, asJson: boolean): string {
  const { origins } = configuration;
  const rows = [...settingsByKey].map(([key, { about }]) => ({
    key,
    value: shownValue(configuration, key),
    origin: origins.get(key)!,
    about,
  }));
  if (asJson) return toJson(rows, 2);
  return printable(table(rows.map(({ key, value, origin }) => [key, shown(value), `(${origin})`])));
}

function get(key: string | undefined, configuration: Configuration, asJson: boolean): string {
  if (key === undefined)
    throw new RlmError('usage', 'rlm config get needs a setting', {
      hint: 'For example: rlm config get model. rlm config list shows all settings.',
    });
  if (!settingsByKey.has(key)) {
    const near = nearestSetting(key);
    throw new RlmError('usage', `unknown setting "${key}"`, {
      hint: near ? `Did you mean "${near}"?` : 'rlm config list shows all settings.',
    });
  }
  const value = shownValue(configuration, key);
  return asJson ? toJson({ key, value, origin: configuration.origins.get(key) }) : `${printable(shown(value))}\n`;
}

function paths(asJson: boolean): string {
  const files = configurationFiles();
  if (asJson) return toJson(files, 2);
  return printable(table(files.map(({ path, role, found }) => [path, `(${role}${found ? '' : ', not found'})`])));
}

/** Lists the models of each preset, and the sources that were checked to find them. Calls no model. */
async function presets(configuration: Configuration, asJson: boolean): Promise<string> {
  const { settings } = configuration;
  const { presets: resolved, looked } = await resolvePresets(configuration);
  if (asJson) return toJson({ presets: resolved, looked, inForce: settings.preset }, 2);
  const rows = resolved.map(({ name, main, recursive, why }) => [
    name === settings.preset ? `${name} (in force)` : name,
    main === recursive ? (main ?? 'no model') : `${main}, below the root ${recursive}`,
    `(${why})`,
  ]);
  const lines = [table(rows), 'Checked:', ...looked.map((one) => `  ${one}`)];
  return printable(`${lines.join('\n')}\n\nTo use one: rlm ask "…" --preset ${resolved[0]!.name}\n`);
}

/** Runs `rlm config`. */
export async function runConfig({ args, options, stdout, stderr }: Invocation): Promise<ExitCode> {
  const [action, key] = args as [string, string | undefined];
  const asJson = options['json'] === true;
  if (!['list', 'get', 'path', 'presets'].includes(action)) {
    throw new RlmError('usage', `rlm config has no action "${action}"`, {
      hint: 'The actions are list, get, path and presets.',
    });
  }
  if (action === 'path') {
    stdout.write(paths(asJson));
    return 0;
  }
  const configuration = loadConfiguration();
  for (const warning of configuration.warnings) stderr.write(`rlm: note: ${printable(warning)}\n`);
  if (action === 'list') stdout.write(list(configuration, asJson));
  if (action === 'get') stdout.write(get(key, configuration, asJson));
  if (action === 'presets') stdout.write(await presets(configuration, asJson));
  return 0;
}
