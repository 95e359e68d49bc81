import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'rlm.config.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('rlm.config.json is missing from the installation');
    folder = parent;
  }
  return folder;
}

/** The folder of the installed package, which holds `prompts/` and the shipped `rlm.config.json`. */
export const packageRoot: string = findRoot();
