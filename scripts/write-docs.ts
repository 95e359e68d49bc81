import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { referencePages } from './reference.ts';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));

await mkdir(folder, { recursive: true });
for (const [name, text] of await referencePages()) await writeFile(folder + name, text);
