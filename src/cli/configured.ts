import { withinTime } from '../assemble/within-time.ts';
import { now } from '../base/time.ts';
import { type Configuration, type ConfigurationSources, loadConfiguration } from '../config/layers.ts';
import type { Settings } from '../config/settings.ts';
import type { ReadingProgress } from '../inputs/gather-inputs.ts';
import type { Invocation } from './command.ts';
import { say } from './terminal.ts';

/**
 * Loads the configuration for a command without a run, and prints its warnings.
 * @throws RlmError like `loadConfiguration`.
 */
export function configured({ stderr }: Pick<Invocation, 'stderr'>, sources: ConfigurationSources = {}): Configuration {
  const configuration = loadConfiguration(sources);
  for (const warning of configuration.warnings) say({ stderr }, `note: ${warning}`);
  return configuration;
}

/** The signal and the listener that limited work must use. */
export interface Limited {
  readonly signal: AbortSignal;
  readonly onReading: (progress: ReadingProgress) => void;
}

/**
 * Runs work within the time limit, if one is given.
 * @throws RlmError `limit-time`, which names what was read; the error that `work` throws.
 */
export function withinTimeout<T>(
  options: Invocation['options'],
  settings: Settings,
  given: { readonly signal: AbortSignal; readonly onReading?: Limited['onReading'] },
  work: (limited: Limited) => Promise<T>,
): Promise<T> {
  const { signal, onReading = () => {} } = given;
  if (options['timeout'] === undefined) return work({ signal, onReading });
  return withinTime(settings, now(), { signal, onReading }, work);
}
