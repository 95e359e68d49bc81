import { settingsByKey } from '../index.ts';
import type { Invocation, OptionSpec, ValueKind } from './command.ts';
import { settingPlace } from './help/option-groups.ts';

/** Settings whose values can be found out. */
const found: Readonly<Record<string, ValueKind>> = {
  model: 'models',
  'recursive.model': 'models',
  'embedding.model': 'models',
  role: 'roles',
  'tools.allow': 'tools',
};

const valuesOf = (key: string): Pick<OptionSpec, 'values'> => (found[key] ? { values: found[key] } : {});

let made: readonly (readonly [key: string, option: OptionSpec])[] | null = null;

/** Made once for all commands; what null means there is of no use on a command line. */
function optionsByKey() {
  made ??= [...settingsByKey].flatMap(([key, { flag, about, flagAbout }]): [string, OptionSpec][] => {
    if (!flag) return [];
    const words = flagAbout ?? about.replace(/; null: .*$/, '');
    return [[key, { flags: flag, about: words, ...settingPlace(key), ...valuesOf(key) }]];
  });
  return made;
}

/** The flags that set a setting, from the settings' own table. */
export const settingOptions = (wanted: (key: string) => boolean): OptionSpec[] =>
  optionsByKey().flatMap(([key, option]) => (wanted(key) ? [option] : []));

const camelCase = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The value that a flag was given, or undefined. A flag that turns something off is there as true until it is given.
 */
function givenValue(flag: string, options: Invocation['options']): unknown {
  const [, off, name] = /--(no-)?([\w-]+)/.exec(flag) ?? [];
  const value = name && options[camelCase(name)];
  return off && value === true ? undefined : value;
}

/** The settings given as flags, by dotted key. */
export function settingFlags(options: Invocation['options']): Map<string, unknown> {
  const given = [...settingsByKey].flatMap(([key, { flag }]): [string, unknown][] => {
    const value = flag === null ? undefined : givenValue(flag, options);
    return value === undefined ? [] : [[key, value]];
  });
  return new Map(given);
}
