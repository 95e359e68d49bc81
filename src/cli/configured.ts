import { type Configuration, type ConfigurationSources, loadConfiguration } from '../index.ts';
import type { Invocation } from './command.ts';
import { printable } from './terminal.ts';

/** The configuration of a command that reports no warnings of a run: what is to be told of it is told here. */
export function configured({ stderr }: Pick<Invocation, 'stderr'>, sources: ConfigurationSources = {}): Configuration {
  const configuration = loadConfiguration(sources);
  for (const warning of configuration.warnings) stderr.write(`rlm: note: ${printable(warning)}\n`);
  return configuration;
}
