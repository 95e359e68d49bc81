/**
 * Loaded before the built program, which hundreds of processes of a test run would compile again and again, for a fifth
 * of their time: the first that asks a question, or serves, leaves what it has compiled in the folder TEST_CODE_CACHE.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');
const { constants, Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');

const folder = process.env.TEST_CODE_CACHE;
delete process.env.TEST_CODE_CACHE;

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** What this process had to compile itself. */
const compiled = new Map();
const compileAnew = Module.prototype._compile;

function compile(content, filename) {
  if (!/[\\/]dist[\\/](?:cli|mcp)[\\/]/.test(filename)) return compileAnew.call(this, content, filename);
  const file = join(folder, basename(filename));
  const cachedData = read(file);
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(Module.wrap(content), { filename, cachedData, importModuleDynamically });
  if (cachedData === undefined) compiled.set(file, script);
  const requireFrom = Object.assign((id) => this.require(id), { cache: Module._cache, main: process.mainModule });
  return script.runInThisContext().call(this.exports, this.exports, requireFrom, this, filename, dirname(filename));
}

function keep() {
  for (const [file, script] of compiled) {
    writeFileSync(`${file}.${process.pid}`, script.createCachedData());
    renameSync(`${file}.${process.pid}`, file);
  }
}

if (folder && isMainThread) {
  Module.prototype._compile = compile;
  if (['ask', 'mcp'].includes(process.argv[2])) process.on('exit', keep);
}
