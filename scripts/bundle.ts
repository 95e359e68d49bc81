/**
 * Builds dist/: the library and the program, each bundled, the type declarations, the JSON Schemas of the output, and
 * the licences of the packages that the bundles contain.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { commands } from '../src/cli/commands/index.ts';
import { manualPages } from './manual.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The build goes to this folder and is moved to dist/ at the end, so a failing build keeps the old dist/. */
const dist = join(root, '.dist-next');

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const virtual = '\0builtin:';

/**
 * Loads Node's own modules at their first use. An ESM `import` would load them, with all lazy exports, at the start,
 * which takes about a third of a cold start. Loading cannot be deferred for a module that is itself a function, such as
 * node:events, nor for node:module, which the bundle's runtime imports. The names come from a prototype, because the
 * runtime copies each own name of a module that it imports.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  resolveId: (id) => (/^node:(?!module$)/.test(id) ? `${virtual}${id}.cjs` : null),
  load(id) {
    if (!id.startsWith(virtual)) return null;
    const name = id.slice(virtual.length, -'.cjs'.length);
    const module = process.getBuiltinModule(name) as object;
    const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
    if (typeof module === 'function') return `module.exports = ${load};`;
    // A lookup on each use would make reading 100,000 small files a tenth slower.
    return `let loaded; module.exports = Object.create(new Proxy({}, { get: (_, name) => (loaded ??= ${load})[name] }));`;
  },
};

/** Matches places where an escape would change the meaning: after a backslash, and in raw templates. */
const takesEscapesAsText = /\\[^\0-\x7f]|\braw`/;

/** Escapes all characters that are not ASCII. An ASCII file is read faster and takes half of the memory. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_, output) {
    for (const part of Object.values(output))
      if (part.type === 'chunk' && !takesEscapesAsText.test(part.code))
        part.code = part.code.replace(/[^\0-\x7f]/g, escaped);
  },
};

/** Keeps the names of functions and classes, because errors show them. */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: true } } as const;

/** Bundles a module (`./library.ts?script`) as the source of a function of `host` that runs inside the sandbox. */
const guestScripts: Plugin = {
  name: 'guest-scripts',
  resolveId: (id, from) => (id.endsWith('?script') && from ? join(dirname(from), id) : null),
  async load(id) {
    if (!id.endsWith('?script')) return null;
    const build = await rolldown({ cwd: root, input: id.slice(0, -'?script'.length), transform: { target: 'es2023' } });
    const { output } = await build.generate({ format: 'iife', name: 'library', minify: readable });
    const source = `(host) => { ${output[0].code}; return library; }`;
    return { code: `export default ${JSON.stringify(source)};`, moduleType: 'js' };
  },
};

/** Excludes lazily imported modules. */
const staticOnly: Plugin = { name: 'static-only', resolveDynamicImport: (id) => ({ id: String(id), external: true }) };

/** Modules that are bundled separately: they share modules with the start, which would otherwise contain them all. */
const protocols = ['protocol', 'protocol-http'];

/** Imports the library of the MCP protocol from its own bundle, which only `rlm mcp` loads. */
const ownProtocol: Plugin = {
  name: 'own-protocol',
  resolveId: (id, from) => {
    const name = protocols.find((one) => id === `./${one}.ts` && from?.includes('/src/mcp/'));
    return name === undefined ? null : { id: `../../mcp/${name}.cjs`, external: 'absolute' };
  },
};

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const options = {
  cwd: root,
  platform: 'node',
  // The library's entry for Node hides its parts from a bundler.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  transform: { target: 'node20.20', define: { RLM_VERSION: JSON.stringify(version) } },
} as const;

const modulesOf = ({ output }: { output: RolldownOutput['output'] }): string[] =>
  output.flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []));

/** A group of modules that are bundled in one file. */
interface Group {
  readonly name: string;
  readonly modules: ReadonlySet<string>;
}

/** Returns all modules that entries import statically, also through others. */
async function groupOf(name: string, ...input: readonly string[]): Promise<Group> {
  const build = await rolldown({ ...options, input: [...input], plugins: [ownProtocol, staticOnly, lazyBuiltins] });
  return { name, modules: new Set(modulesOf(await build.generate({ format: 'esm' }))) };
}

/**
 * Returns the library's modules that `rlm mcp` needs before its first answer, except those that need the protocol.
 */
async function libraryGroup(): Promise<Group> {
  const { name, modules } = await groupOf('library', 'src/mcp/stdio.ts');
  return { name, modules: new Set([...modules].filter((path) => !path.includes('/src/mcp/'))) };
}

/**
 * Groups of modules: those before everything else, those that `rlm ask` needs before its first request, those that
 * `rlm mcp` also needs before its first answer, and those that foresee how a question is answered.
 */
const groupsOfTheProgram = (): Promise<Group[]> =>
  Promise.all([
    groupOf('boot', 'src/cli/main.ts'),
    groupOf('start', 'src/cli/program.ts', 'src/cli/render/progress.ts', 'src/providers/ollama/provider.ts'),
    libraryGroup(),
    groupOf('plan', 'src/api/dry-run.ts'),
  ]);

/**
 * Leaves out the validator of JSON Schemas, which is nearly half of the protocol's library. It only checks a client's
 * answers to a server's questions, and rlm asks its client nothing.
 */
const noValidator: Plugin = {
  name: 'no-validator',
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? `${virtual}shims` : null),
  load: (id) =>
    id === `${virtual}shims`
      ? `export { default as process } from 'node:process';
         export class DefaultJsonSchemaValidator {
           getValidator() { throw new Error('JSON Schemas are not checked here'); }
         }`
      : null,
};

async function bundleProtocols(): Promise<string[]> {
  const input = Object.fromEntries(protocols.map((name) => [name, `src/mcp/${name}.ts`]));
  const build = await rolldown({ ...options, input, plugins: [noValidator, lazyBuiltins] });
  const output = await build.write({
    dir: join(dist, 'mcp'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  });
  return modulesOf(output);
}

/** Returns the names that the library exports, read from its bundle. ES modules import them by name. */
const asModule = (names: readonly string[]): string =>
  `import library from './index.cjs';\nexport const { ${names.join(', ')} } = library;\n`;

/**
 * Bundles the program and the library, which share most of their code. A cold start mostly opens and compiles files, so
 * its code is in one file, and lazily imported code is in others. Both are CommonJS, whose loader starts sooner than
 * that of ES modules; `index.js` exports the library to ES modules.
 * @returns the paths of the modules in the bundle.
 */
async function bundleShared(groups: readonly Group[]): Promise<string[]> {
  const build = await rolldown({
    ...options,
    input: { 'cli/main': 'src/cli/main.ts', index: 'src/index.ts' },
    // The entry of the program may contain modules that the library needs.
    preserveEntrySignatures: 'allow-extension',
    plugins: [ownProtocol, lazyBuiltins, asciiOnly],
  });
  const output = await build.write({
    dir: dist,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'cli/chunks/[name]-[hash].cjs',
    // A module in several groups belongs to the first.
    codeSplitting: { groups: groups.map(({ name, modules }) => ({ name, test: (id) => modules.has(id) })) },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  const library = output.output.find((part) => part.type === 'chunk' && part.name === 'index' && part.isEntry);
  await writeFile(join(dist, 'index.js'), asModule(library!.type === 'chunk' ? library!.exports : []));
  return modulesOf(output);
}

/**
 * Bundles the code of threads: readers of PDFs and similar files, a model's code, the term counter, and queries, whose
 * SQLite needs CommonJS.
 */
async function bundleWorker(
  name: string,
  entry: string,
  folder: string,
  format: 'esm' | 'cjs' = 'esm',
): Promise<string[]> {
  const extension = format === 'esm' ? 'js' : 'cjs';
  const build = await rolldown({ ...options, input: { [name]: entry }, plugins: [guestScripts] });
  const output = await build.write({
    dir: dist,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `${folder}/[name]-[hash].${extension}`,
    minify: readable,
  });
  return modulesOf(output);
}

/** Collects the declaration files that a declaration file needs. */
async function neededBy(path: string, found: Set<string>): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  const imported = (await readFile(path, 'utf8')).matchAll(/\b(?:from|import)\b[ (]*['"](\.[^'"]+)\.ts['"]/g);
  for (const [, name] of imported) await neededBy(join(dirname(path), `${name}.d.ts`), found);
  return found;
}

/** Writes the library's type declarations, without modules that they do not reference. */
async function declareTypes(): Promise<void> {
  await promisify(execFile)(
    'npx',
    ['--no-install', 'tsc', '-p', 'tsconfig.build.json', '--outDir', join(dist, 'types')],
    { cwd: root },
  );
  const needed = await neededBy(join(dist, 'types', 'index.d.ts'), new Set());
  const made = await readdir(join(dist, 'types'), { recursive: true, withFileTypes: true });
  const files = made.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(files.filter((path) => !needed.has(path)).map((path) => rm(path)));
}

/** Writes the pages for `man` into the folder that the manifest names. */
async function writeManual(): Promise<void> {
  await mkdir(join(dist, 'man'), { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  for (const [name, page] of manualPages(commands, { version, date })) await writeFile(join(dist, 'man', name), page);
}

/**
 * Compresses a binary with Brotli into a folder. The result is an eighth smaller than with the gzip of a package. The
 * best quality would save another 90 kB of 1 MB, and take 13 s instead of 0.4 s.
 */
async function pack(path: string, folder: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${basename(path)}.br`), brotliCompressSync(await readFile(path), { params }));
}

const grammars = ['javascript', 'typescript', 'tsx', 'python', 'go', 'rust', 'java'];

/**
 * Copies the parser of code and its grammars. Its script stays a separate file, because it loads binaries and code in a
 * way that a bundler cannot follow.
 * @returns the path of the script.
 */
async function copyGrammars(): Promise<string> {
  const from = join(root, 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm');
  const script = join(from, 'tree-sitter.js');
  const to = join(dist, 'grammars');
  await mkdir(to, { recursive: true });
  const files = ['tree-sitter.wasm', ...grammars.map((language) => `tree-sitter-${language}.wasm`)];
  await Promise.all(files.map((file) => pack(join(from, file), to)));
  await copyFile(script, join(to, 'tree-sitter.cjs'));
  return script;
}

/** Compresses the binary of the interpreter that runs a model's code. */
async function copyInterpreter(): Promise<void> {
  const from = join(root, 'node_modules', '@jitl', 'quickjs-wasmfile-release-sync', 'dist');
  await pack(join(from, 'emscripten-module.wasm'), join(dist, 'sandbox'));
}

/** Compresses the binary of SQLite. */
async function copySqlite(): Promise<void> {
  await pack(join(root, 'node_modules', 'sql.js', 'dist', 'sql-wasm.wasm'), join(dist, 'query'));
}

/** Writes the licence texts of all packages in the bundles, as their terms require. */
async function writeLicences(modules: readonly string[]): Promise<void> {
  const packages = new Set(modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = await Promise.all(
    [...packages].sort().map(async (name) => {
      const folder = join(root, 'node_modules', name);
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? await readFile(join(folder, file), 'utf8') : '';
      return `${name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
    }),
  );
  // unpdf contains this package without its licence, which is the same as TypeScript's.
  const apache = await readFile(join(root, 'node_modules/typescript/LICENSE'), 'utf8');
  texts.push(`pdf.js (in unpdf; Apache-2.0)\n\nCopyright Mozilla Foundation\n\n${apache.trim()}\n`);
  await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Builds dist/ from scratch, and writes the hash of its sources there. */
export async function bundleAll(builtFrom: string): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  const [shared, protocol, reader, sandbox, counting, queries] = await Promise.all([
    groupsOfTheProgram().then(bundleShared),
    bundleProtocols(),
    bundleWorker('reader-worker', 'src/inputs/readers/worker.ts', 'readers'),
    bundleWorker('sandbox-worker', 'src/sandbox/worker.ts', 'sandbox'),
    bundleWorker('counting-worker', 'src/retrievers/lexical/thread/worker.ts', 'counting'),
    bundleWorker('query-worker', 'src/query/worker.ts', 'query', 'cjs'),
    declareTypes(),
  ]);
  await Promise.all([copyInterpreter(), copySqlite()]);
  const threads = [...reader, ...sandbox, ...counting, ...queries];
  const modules = [...shared, ...protocol, ...threads, await copyGrammars()];
  await Promise.all([writeManual(), writeLicences(modules), writeFile(join(dist, '.built-from'), builtFrom)]);
  await rm(join(root, 'dist'), { recursive: true, force: true });
  await rename(dist, join(root, 'dist'));
}
