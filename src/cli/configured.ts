import { type Timed, withinTime } from '../assemble/within-time.ts';
import { now } from '../base/time.ts';
import { type Configuration, loadConfiguration } from '../config/layers.ts';
import type { Settings } from '../config/settings.ts';
import type { Invocation } from './command.ts';
import { settingFlags } from './setting-flags.ts';
import { say } from './terminal.ts';

/** Loads the configuration and prints its warnings. Throws the errors of `loadConfiguration`. */
export function configured(
  { stderr, options }: Pick<Invocation, 'stderr' | 'options'>,
  flags = settingFlags(options),
): Configuration {
  const configuration = loadConfiguration({ flags });
  for (const warning of configuration.warnings) say({ stderr }, `note: ${warning}`);
  return configuration;
}

/** Runs work within --timeout, if it is given. Throws RlmError `limit-time`, which names what was being read. */
export const withinTimeout = <T>(
  options: Invocation['options'],
  settings: Settings,
  given: Pick<Timed, 'signal'> & Partial<Timed>,
  work: (timed: Timed) => Promise<T>,
): Promise<T> =>
  options['timeout'] === undefined ? work({ onReading: () => {}, ...given }) : withinTime(settings, now(), given, work);
