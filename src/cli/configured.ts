import { type Configuration, type ConfigurationSources, loadConfiguration } from '../index.ts';
import type { Invocation } from './command.ts';
import { printable } from './terminal.ts';

/**
 * Loads the configuration for a command without a run, and prints its warnings.
 * @throws RlmError like `loadConfiguration`.
 */
export function configured({ stderr }: Pick<Invocation, 'stderr'>, sources: ConfigurationSources = {}): Configuration {
  const configuration = loadConfiguration(sources);
  for (const warning of configuration.warnings) stderr.write(`rlm: note: ${printable(warning)}\n`);
  return configuration;
}
