import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const types = new URL('../dist/types/', import.meta.url);

/** Returns every module that a declaration file names, directly or through its relative imports. */
async function importedBy(url: URL, seen = new Set<string>()): Promise<Set<string>> {
  const foreign = new Set<string>();
  if (seen.has(url.href)) return foreign;
  seen.add(url.href);
  const text = await readFile(url, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
    if (!name.startsWith('.')) foreign.add(name);
    else {
      const target = new URL(name.replace(/\.(?:ts|js)$/, '.d.ts'), url);
      for (const found of await importedBy(target, seen)) foreign.add(found);
    }
  }
  return foreign;
}

describe('the package', () => {
  it('has declarations that need no other package', async () => {
    expect([...(await importedBy(new URL('index.d.ts', types)))]).toEqual([]);
  });

  it('contains every file and folder that the program reads from it', async () => {
    const source = new URL('../src/', import.meta.url);
    const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, source), 'utf8')));
    const read = texts.flatMap((text) => [...text.matchAll(/\(packageRoot, '([^']+)'/g)].map(([, name]) => name!));
    const { files } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(new Set(read).size).toBeGreaterThan(3);
    expect([...new Set(read)].filter((name) => name !== 'package.json' && !files.includes(name.split('/')[0]))).toEqual(
      [],
    );
  });

  it('installs nothing else', async () => {
    const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.scripts.install ?? manifest.scripts.postinstall).toBeUndefined();
  });

  it('names the licence of every package in the bundle', async () => {
    const licences = await readFile(new URL('../dist/THIRD-PARTY-LICENSES.txt', import.meta.url), 'utf8');
    const read = ['html-to-text', 'jszip', 'mammoth', 'unpdf'];
    const used = ['commander', 'eventsource-parser', 'isbinaryfile', 'jsonrepair', 'zod'];
    for (const name of [...used, ...read, '@vscode/tree-sitter-wasm']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
  });
});
