/**
 * One process that runs the built program again and again, for tests of what it prints rather than of the process: each
 * start of Node and each compiling of the program took most of their time. A run ends as in a process of its own, when
 * nothing is left to wait for. A message is {args, cwd, env, mark}; when the run has ended, the mark follows on stdout
 * and stderr, and the exit status is sent.
 */
const { writeSync } = require('node:fs');

let mark = null;
let before = null;
let startedAt = 0;

const uptime = process.uptime.bind(process);
process.uptime = () => uptime() - startedAt;

const emitters = () => [process, process.stdout, process.stderr];
const listenersOf = (emitter) => new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));

/** Calls what waits for the end of the process, and takes off what the run has left on streams and process. */
function leave(code) {
  const kept = before[0].get('exit') ?? [];
  process.exitCode = code;
  for (const listener of process.rawListeners('exit')) {
    if (!kept.includes(listener)) listener.call(process, process.exitCode);
  }
  for (const [index, emitter] of emitters().entries()) {
    for (const [name, listeners] of listenersOf(emitter)) {
      const known = before[index].get(name) ?? [];
      for (const listener of listeners) if (!known.includes(listener)) emitter.removeListener(name, listener);
    }
  }
  delete process.stdout.write;
  delete process.stderr.write;
}

function end(code, then) {
  leave(code);
  for (const stream of [1, 2]) writeSync(stream, mark);
  mark = null;
  const status = process.exitCode;
  process.exitCode = undefined;
  process.channel.ref();
  process.send({ code: status }, then);
}

process.on('beforeExit', () => {
  if (mark !== null) end(process.exitCode ?? 0, () => {});
});

/** A program that ends itself may leave anything behind: this process ends with it. */
const exit = process.exit.bind(process);
process.exit = (code) => {
  if (mark === null) exit(code);
  end(code ?? process.exitCode ?? 0, () => exit(0));
  process.on('uncaughtException', () => {});
  throw new Error('the program has ended');
};

process.on('disconnect', () => exit(0));

process.on('message', ({ program, entry, args, cwd, env, mark: given }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  mark = given;
  startedAt = uptime();
  before = emitters().map(listenersOf);
  process.channel.unref();
  delete require.cache[entry];
  require(entry).main(args);
});
