import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { outputSchemas } from './output-schemas.ts';
import { referencePages } from './reference.ts';

const folder = fileURLToPath(new URL('../docs/reference/', import.meta.url));
const schemas = fileURLToPath(new URL('../schemas/', import.meta.url));

for (const made of [folder, schemas]) await mkdir(made, { recursive: true });
// The reference explains the fields of the schemas.
for (const [name, text] of outputSchemas()) await writeFile(schemas + name, text);
for (const [name, text] of await referencePages()) await writeFile(folder + name, text);
