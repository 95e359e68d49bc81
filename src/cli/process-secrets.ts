import { readOwnText } from '../base/files/own-file.ts';
import { configurationFiles } from '../config/layers.ts';
import { findSecrets } from '../secrets/known-secrets.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';

/**
 * The user's and the project's configuration as text, also where it is no JSON; none where there is no working
 * folder.
 */
function configurationTexts(): string[] {
  try {
    const files = configurationFiles().filter(({ found, role }) => found && role !== 'shipped defaults');
    return files.map(({ path }) => readOwnText(path));
  } catch {
    return [];
  }
}

function hostsIn(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (arg.startsWith('--host=')) return [arg.slice('--host='.length)];
    return args[index - 1] === '--host' ? [arg] : [];
  });
}

/**
 * The redactor that stands before stdout, stderr and the file of `-o`. It is made before anything else, so it holds for
 * a command line or a configuration that is wrong, too; what a run writes has been redacted before it comes here.
 */
export function redactorOfProcess(args: readonly string[]): Redactor {
  const texts = [...args, ...configurationTexts()];
  return createRedactor(findSecrets({ env: process.env, addresses: hostsIn(args), texts }));
}
