import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'rlm.config.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('rlm.config.json is missing from the installation');
    folder = parent;
  }
  return folder;
}

/** The folder of the installed package, which holds `prompts/` and the shipped `rlm.config.json`. */
export const packageRoot: string = findRoot();
