import { resolvePresets } from '../../api/models/setup.ts';
import { listRoles } from '../../api/roles.ts';
import { textTable } from '../../base/text.ts';
import { ownRolesFolder } from '../../config/folders.ts';
import { type Configuration, configurationFiles } from '../../config/layers.ts';
import { shownSetting } from '../../config/login.ts';
import { nearestSetting, settingsByKey } from '../../config/settings.ts';
import { type ExitCode, RlmError } from '../../errors.ts';
import type { Role } from '../../roles/role.ts';
import { type ActionRequest, type CommandAction, type Invocation, runAction } from '../command.ts';
import { configured } from '../configured.ts';
import { oneLine, printable, toJson } from '../terminal.ts';

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const shownValue = ({ values, redactor }: Configuration, key: string): unknown =>
  shownSetting(key, redactor.value(values.get(key)));

function list(request: ActionRequest): void {
  const configuration = configured(request);
  const rows = [...settingsByKey].map(([key, { about }]) => ({
    key,
    value: shownValue(configuration, key),
    origin: configuration.origins.get(key)!,
    about,
  }));
  const text = () => printable(textTable(rows.map(({ key, value, origin }) => [key, shown(value), `(${origin})`])));
  request.stdout.write(request.asJson ? toJson(rows, 2) : text());
}

function get(request: ActionRequest): void {
  const key = request.names[0]!;
  if (!settingsByKey.has(key)) {
    const near = nearestSetting(key);
    throw new RlmError('usage', `unknown setting "${key}"`, {
      hint: near ? `Did you mean "${near}"?` : 'rlm config list shows all settings.',
    });
  }
  const configuration = configured(request);
  const value = shownValue(configuration, key);
  const origin = configuration.origins.get(key);
  request.stdout.write(request.asJson ? toJson({ key, value, origin }) : `${printable(shown(value))}\n`);
}

function paths({ stdout, asJson }: ActionRequest): void {
  const files = configurationFiles();
  const rows = files.map(({ path, role, found }) => [path, `(${role}${found ? '' : ', not found'})`]);
  stdout.write(asJson ? toJson(files, 2) : printable(textTable(rows)));
}

async function presets(request: ActionRequest): Promise<void> {
  const { stdout, asJson } = request;
  const configuration = configured(request);
  const { preset: inForce } = configuration.settings;
  const { presets: resolved, looked } = await resolvePresets(configuration);
  if (asJson) return stdout.write(toJson({ presets: resolved, looked, inForce }, 2));
  const rows = resolved.map(({ name, main, recursive, why }) => [
    name === inForce ? `${name} (in force)` : name,
    main === recursive ? (main ?? 'no model') : `${main}, below the root ${recursive}`,
    `(${why})`,
  ]);
  const lines = [textTable(rows), 'Checked:', ...looked.map((one) => `  ${one}`)];
  stdout.write(printable(`${lines.join('\n')}\n\nTo use one: rlm ask "…" --preset ${resolved[0]!.name}\n`));
}

const actions: Readonly<Record<string, CommandAction>> = {
  list: { example: 'rlm config list', run: list },
  get: { names: { what: 'a setting', least: 1, most: 1 }, example: 'rlm config get model', run: get },
  path: { example: 'rlm config path', run: paths },
  presets: { example: 'rlm config presets', run: presets },
};

export const runConfig = (invocation: Invocation): Promise<ExitCode> => runAction('config', actions, invocation);

const line = (name: string, value: string): string => `  ${name.padEnd(10)}${oneLine(value, 500)}`;

function renderRole({ name, about, strategy, sections, tools, path }: Role): string {
  return [
    `${printable(name)}: ${oneLine(about, 300)}`,
    ...(strategy === null ? [] : [line('strategy', strategy)]),
    ...(sections.length === 0 ? [] : [line('sections', sections.join(', '))]),
    ...(tools === null ? [] : [line('tools', tools.join(', '))]),
    line('file', path),
  ].join('\n');
}

export async function runRoles({ options, stdout }: Invocation): Promise<ExitCode> {
  const roles = await listRoles({ env: process.env });
  const text = `${roles.map(renderRole).join('\n\n')}\n\nFolder for your own roles: ${printable(ownRolesFolder(process.env))}\n`;
  stdout.write(options['json'] === true ? toJson({ roles }) : text);
  return 0;
}
