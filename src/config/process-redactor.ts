import { readOwnText } from '../base/files/own-file.ts';
import { findSecrets } from '../secrets/known-secrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { configurationFiles } from './layers.ts';
import type { Environment } from './setting-layers.ts';

/** Where secrets are looked for besides the configuration files. */
export interface ProcessSources {
  readonly env: Environment;
  /** The words of the command line. */
  readonly args: readonly string[];
  /** Those of them that are addresses. */
  readonly addresses: readonly string[];
}

/** The user's and the project's configuration as text, valid or not; none where there is no working folder. */
function configurationTexts(env: Environment): string[] {
  try {
    const files = configurationFiles({ env }).filter(({ found, role }) => found && role !== 'shipped defaults');
    return files.map(({ path }) => readOwnText(path));
  } catch {
    return [];
  }
}

/**
 * Makes the redactor of a process before anything else is read, so that it holds where the command line or the
 * configuration is wrong, too.
 */
export const createProcessRedactor = ({ env, args, addresses }: ProcessSources): Redactor =>
  createRedactor(findSecrets({ env, addresses, texts: [...args, ...configurationTexts(env)] }));
