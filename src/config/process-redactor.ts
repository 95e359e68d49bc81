import { readOwnText } from '../base/files/own-file.ts';
import { findSecrets } from '../secrets/known-secrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { configurationFiles } from './layers.ts';
import type { Environment } from './setting-layers.ts';

/** The sources that are searched for secrets, besides the configuration files. */
export interface ProcessSources {
  readonly env: Environment;
  readonly args: readonly string[];
  readonly addresses: readonly string[];
}

/** Returns the text of the user's and the project's configuration, valid or not. Empty when a file cannot be read. */
function configurationTexts(env: Environment): string[] {
  try {
    const files = configurationFiles({ env }).filter(({ found, role }) => found && role !== 'shipped defaults');
    return files.map(({ path }) => readOwnText(path));
  } catch {
    return [];
  }
}

/**
 * Creates the redactor of a process before anything else is read, so that error messages about an invalid command line
 * or configuration are redacted, too.
 */
export const createProcessRedactor = ({ env, args, addresses }: ProcessSources): Redactor =>
  createRedactor(findSecrets({ env, addresses, texts: [...args, ...configurationTexts(env)] }));
