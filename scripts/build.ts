/**
 * Builds dist/: the library and the program, bundled and split so that a start loads only what it uses, the type
 * declarations, the JSON Schemas of the output, and the licences of the packages that the bundle contains.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Metafile, type Plugin } from 'esbuild';
import { outputSchemas } from '../src/cli/output-schemas.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Built beside and put in place at the end, so that a failing build leaves the old one. */
const dist = join(root, '.dist-next');

/**
 * Takes Node's own modules by `process.getBuiltinModule`: an `import` of one makes Node read every export of it, the
 * lazy ones too, which costs a cold start about a third of its time.
 */
const quickBuiltins: Plugin = {
  name: 'quick-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

async function bundle(): Promise<Metafile> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts' },
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    define: { RLM_VERSION: JSON.stringify(version) },
    plugins: [quickBuiltins],
    // Bundled CommonJS packages call require for Node's own modules.
    banner: { js: 'const require = process.getBuiltinModule;' },
    logLevel: 'warning',
  });
  return metafile;
}

async function declareTypes(): Promise<void> {
  await promisify(execFile)('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json', '--outDir', join(dist, 'types')], { cwd: root });
}

async function writeSchemas(): Promise<void> {
  await mkdir(join(dist, 'schemas'), { recursive: true });
  for (const [name, schema] of Object.entries(outputSchemas())) {
    await writeFile(join(dist, 'schemas', `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
  }
}

/** The licence texts of every package that has a file in the bundle, as their terms ask. */
async function writeLicences(metafile: Metafile): Promise<void> {
  const inputs = Object.keys(metafile.inputs);
  const packages = new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = await Promise.all(
    [...packages].sort().map(async (name) => {
      const folder = join(root, 'node_modules', name);
      const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? await readFile(join(folder, file), 'utf8') : '';
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

await rm(dist, { recursive: true, force: true });
const [metafile] = await Promise.all([bundle(), declareTypes()]);
await Promise.all([writeSchemas(), writeLicences(metafile)]);
await rm(join(root, 'dist'), { recursive: true, force: true });
await rename(dist, join(root, 'dist'));
