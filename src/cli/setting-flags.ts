import { settingsByKey } from '../config/settings.ts';
import type { ArgumentSpec, Invocation, OptionSpec, ValueKind } from './command.ts';
import { settingPlace } from './help.ts';

const kinds: Readonly<Record<string, ValueKind>> = {
  model: 'models',
  'recursive.model': 'models',
  visionModel: 'models',
  'embedding.model': 'models',
  role: 'roles',
  'tools.allow': 'tools',
};

/** The options by setting key. Their help omits the meaning of null. */
const optionsByKey = [...settingsByKey].flatMap(([key, { flag, about, flagAbout }]): [string, OptionSpec][] => {
  if (!flag) return [];
  const words = flagAbout ?? about.replace(/; null: .*$/, '');
  return [[key, { flags: flag, about: words, ...settingPlace(key), ...(kinds[key] && { values: kinds[key] }) }]];
});

/** Returns the options of the settings whose key `wanted` accepts. */
export const settingOptions = (wanted: (key: string) => boolean): OptionSpec[] =>
  optionsByKey.flatMap(([key, option]) => (wanted(key) ? [option] : []));

const camelCase = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the value that the user gave for a flag. Commander sets the option of a `--no-` flag to true by default. */
function givenValue(flag: string, options: Invocation['options']): unknown {
  const [, off, name] = /--(no-)?([\w-]+)/.exec(flag) ?? [];
  const value = name && options[camelCase(name)];
  return off && value === true ? undefined : value;
}

/** Returns the settings that are given as flags, by dotted key. */
export function settingFlags(options: Invocation['options']): Map<string, unknown> {
  const given = [...settingsByKey].flatMap(([key, { flag }]): [string, unknown][] => {
    const value = flag === null ? undefined : givenValue(flag, options);
    return value === undefined ? [] : [[key, value]];
  });
  return new Map(given);
}

/** The option `--timeout` of commands that read text without a model. Its default is no time limit. */
export const timeoutOptions: readonly OptionSpec[] = settingOptions((key) => key === 'budget.timeout').map(
  (option) => ({ ...option, about: 'time limit in seconds, from the start of the process; default: no limit' }),
);

export const contextPaths: ArgumentSpec = {
  name: '[paths...]',
  about: "files, folders and globs ('docs/**/*.md'); .gitignore and .rlmignore apply in folders; - is piped text",
};
