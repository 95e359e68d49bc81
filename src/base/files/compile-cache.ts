/** Stores compiled code for later processes, because compiling takes a third of a short command's time. */
import { lstatSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { makeFolder } from './system.ts';

type Compile = (this: NodeJS.Module, content: string, path: string) => unknown;

const loader = Module as unknown as {
  readonly enableCompileCache?: (folder: string) => void;
  readonly prototype: { _compile: Compile };
};

/** Length of the shortest file whose compiled code is stored, in UTF-16 units. */
const shortest = 30_000;

/** Matches `name-hash.cjs`. Files with different content have different hashes. */
const hashedName = /^([\w-]+)-[\w-]{8}\.cjs$/;

/** Whether only this user can write into a folder from which code will run. Creates a missing folder. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) makeFolder(folder);
  const stats = found ?? lstatSync(folder);
  const uid = process.getuid?.();
  return stats.isDirectory() && (uid === undefined || (stats.uid === uid && (stats.mode & 0o022) === 0));
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Stores the code of a file, and removes the code of its earlier versions. */
function keep(folder: string, name: string, data: Buffer): void {
  const draft = join(folder, `${name}.${process.pid}`);
  writeFileSync(draft, data, { mode: 0o600 });
  renameSync(draft, join(folder, name));
  const stem = hashedName.exec(name)![1];
  for (const other of readdirSync(folder))
    if (other !== name && hashedName.exec(other)?.[1] === stem) unlinkSync(join(folder, other));
}

type Compiled = Map<string, { readonly script: Script; readonly keptBytes: number }>;

/** A process that runs for less than this many seconds stores only code that is not stored yet. */
const longRun = 2;
/** A longer run stores code again if calls of further functions have made the code grow by this factor. */
const worthKeeping = 1.2;

function keepAll(folder: string, compiled: Compiled): void {
  for (const [name, { script, keptBytes }] of compiled) {
    if (keptBytes > 0 && process.uptime() < longRun) continue;
    const data = script.createCachedData();
    if (data.length > keptBytes * worthKeeping) keep(folder, name, data);
  }
}

function compileWithin(folder: string): void {
  const compileAnew = loader.prototype._compile;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const compiled: Compiled = new Map();
  // Stores the code at exit, to include code that was compiled during the run.
  process.once('exit', () => {
    try {
      keepAll(folder, compiled);
    } catch {} // The next process compiles the code again.
  });
  loader.prototype._compile = function (content, path) {
    const name = basename(path);
    if (content.length < shortest || !hashedName.test(name)) return compileAnew.call(this, content, path);
    const cachedData = readIfThere(join(folder, name));
    const options = { filename: path, importModuleDynamically, ...(cachedData && { cachedData }) };
    const script = new Script(Module.wrap(content), options);
    const keptBytes = cachedData === undefined || script.cachedDataRejected ? 0 : cachedData.length;
    compiled.set(name, { script, keptBytes });
    const requireFrom = Object.assign((id: string) => this.require(id), { main: process.mainModule });
    const run = script.runInThisContext() as (...given: unknown[]) => unknown;
    return run.call(this.exports, this.exports, requireFrom, this, path, dirname(path));
  };
}

/** Stores compiled code in a folder, if only this user can write into it. */
export function keepCompiled(folder: string): void {
  try {
    if (!isPrivate(folder)) return;
  } catch {
    return;
  }
  if (loader.enableCompileCache === undefined) compileWithin(folder);
  else loader.enableCompileCache(folder);
}
