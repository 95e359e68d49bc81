/** Writes the generated files, schemas/ and docs/reference/. With --check, it lists those that are out of date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { outputSchemas } from './output-schemas.ts';
import { referencePages } from './reference.ts';

const isCheck = process.argv.includes('--check');

async function put(folder: string, pages: ReadonlyMap<string, string>): Promise<void> {
  const base = new URL(`../${folder}/`, import.meta.url);
  await mkdir(base, { recursive: true });
  for (const [name, text] of pages) {
    const file = fileURLToPath(new URL(name, base));
    if (!isCheck) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => null)) !== text) {
      process.stderr.write(`${folder}/${name} is out of date: npm run docs writes it\n`);
      process.exitCode = 1;
    }
  }
}

// The schemas come first, because the reference explains their fields.
await put('schemas', outputSchemas());
await put('docs/reference', await referencePages());
