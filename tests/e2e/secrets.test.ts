import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatCall, faults, type OllamaServerOptions } from '../servers/ollama-server.ts';
import { warned } from '../support/warned.ts';
import {
  allTold,
  filesIn,
  leaksIn,
  leaksInFiles,
  ofFlag,
  ofProjectFile,
  ofUserFile,
  plantedEnv,
  secrets,
  told,
  userFile,
  withLogin,
} from './planted-secrets.ts';
import { answer, everyStage, goodText, plan, startServer } from './replies.ts';
import { createFolder, type Finished, resultOf, rlm, shell } from './run-rlm.ts';

type Handlers = Parameters<typeof startServer>[0];

const question = 'What was lowered?';
const document = `${goodText}\n${secrets.map((secret, index) => `The pool ${index} was lowered with ${secret} by hand.`).join('\n')}\n`;

/** Creates a project and a home, both with secrets in their files, and a server. */
async function plant(handlers: Handlers = {}, options: Omit<OllamaServerOptions, 'reply'> = {}) {
  // Every secret arrives in several pieces.
  const server = await startServer(handlers, { pieceLength: 9, bytesPerWrite: 97, ...options });
  const home = createFolder();
  const reply = { maxTokens: 8_000 };
  const projectFile = JSON.stringify({ reply, ollama: { host: `http://x:${ofProjectFile}@p.example` } });
  const cwd = createFolder({ 'notes.md': document, 'rlm.config.json': projectFile });
  const config = join(home, 'config', 'rlm', 'config.json');
  mkdirSync(join(config, '..'), { recursive: true });
  writeFileSync(config, userFile(cwd));
  const xdg = { XDG_CONFIG_HOME: join(home, 'config'), XDG_CACHE_HOME: join(home, 'cache') };
  // The provider is named, because `auto` would skip a server that is slow on a busy machine.
  const own = { HOME: home, RLM_HOME: join(home, 'state'), RLM_PROVIDER: 'ollama' };
  const env = { ...everyStage, ...plantedEnv(server.url), ...xdg, ...own };
  const planted = new Set([join(cwd, 'notes.md'), join(cwd, 'rlm.config.json'), config]);
  return {
    server,
    env,
    cwd,
    run: (args: readonly string[], stdin?: string) =>
      rlm(args[0] === 'ask' && !args.includes('--host') ? [...args, '--host', withLogin(server.url, ofFlag)] : args, {
        cwd,
        env,
        ...(stdin === undefined ? {} : { stdin }),
      }),
    files: () => filesIn([cwd, home], planted),
  };
}

const leaksOf = ({ stdout, stderr }: Finished) => [...leaksIn('stdout', stdout), ...leaksIn('stderr', stderr)];

const everyReport = ['--report', 'run.html', '--junit', 'run.xml', '--sarif', 'run.sarif', '--annotations', 'github'];

/** Options for every output file: logs, recording, audit, cache, journal with trajectory, and reports. */
const everySink = ['--log-file', 'run.log', '--record', 'run.cassette', '--audit', '--cache', ...everyReport];

/** A model that reveals all secrets, in one form. */
const telling = (as: (secret: string) => string): Handlers => ({
  planner: { ...plan('direct', [`What of ${allTold(as)}?`]), taskDecomposition: [allTold(as)] },
  answer: answer(`It was lowered [P1]. ${allTold(as)}`, 'P1', `lowered with ${secrets[0]} by hand`),
  critic: ({ headers }: ChatCall) => ({
    confidenceScore: 70,
    gaps: [allTold(as), `You sent ${headers.authorization}`],
    verdicts: [],
    conflicts: [],
    reasoning: allTold(as),
  }),
});

describe('the search', () => {
  it('is for fifty different secrets', () => {
    expect(new Set(secrets).size).toBe(50);
  });

  it.each(Object.entries(told))('finds each of them as %s in a sink that holds it', (_, as) => {
    const folder = createFolder(
      Object.fromEntries(secrets.map((secret, index) => [`${index}.log`, `x${as(secret)}x`])),
    );
    const found = leaksInFiles(filesIn([folder], new Set()));
    expect(secrets.filter((_, index) => !found.some((leak) => leak.includes(`secret ${index} as`)))).toEqual([]);
  });
});

const encoded = (secret: string) =>
  [told.url, told.base64, told.basicAuth, told.base64url, told.hex].map((as) => as(secret)).join(' ');

describe.concurrent('a model that repeats every secret', () => {
  it.each([
    ['as it is', told.plain],
    ['in every other form', encoded],
  ])('%s: none is in any output, file or record', async (_, as) => {
    const { run, files } = await plant(telling(as));
    const asked = await run(['ask', question, 'notes.md', '--json', '--verbose', ...everySink]);
    expect(asked.code, asked.stderr).toBe(0);
    expect(resultOf(asked).answer).toContain('[secret]');
    const written = files();
    const redacted = written.filter((path) => readFileSync(path, 'utf8').includes('[secret]'));
    const kinds = [
      'run.log',
      'run.cassette',
      '/telemetry/',
      '/cache/',
      'journal.jsonl',
      'trajectory.json',
      'run.html',
      'run.xml',
    ];
    expect(kinds.filter((kind) => !redacted.some((path) => path.includes(kind)))).toEqual([]);
    expect([...leaksOf(asked), ...leaksInFiles(written)]).toEqual([]);
  });

  it.each([['text'], ['markdown'], ['ndjson'], ['json']])('--format %s, to stdout and to a file', async (format) => {
    const { run, files } = await plant(telling(told.plain));
    const args = ['ask', question, 'notes.md', '--format', format];
    const [shown, written] = [await run(args), await run([...args, '-o', 'answer.txt'])];
    expect([shown.code, written.code]).toEqual([0, 0]);
    expect(shown.stdout).toContain('[secret]');
    expect([...leaksOf(shown), ...leaksOf(written), ...leaksInFiles(files())]).toEqual([]);
  });

  it('a replay of its recording and a reply from the cache contain none', async () => {
    const { run, files } = await plant(telling(encoded));
    await run(['ask', question, 'notes.md', ...everySink]);
    const replayed = await run(['ask', question, 'notes.md', '--json', '--replay', 'run.cassette']);
    const cached = await run(['ask', question, 'notes.md', '--json', '--cache']);
    expect([replayed.code, cached.code]).toEqual([0, 0]);
    expect(resultOf(cached).usage.cacheHits).toBeGreaterThan(0);
    expect([...leaksOf(replayed), ...leaksOf(cached), ...leaksInFiles(files())]).toEqual([]);
  });
});

describe.concurrent('a server that fails and repeats every secret', () => {
  const all = `${allTold(told.plain)} ${allTold(told.basicAuth)}`;
  const long = secrets[38]!;
  it.each([
    ['401', 4, () => faults.status(401, { error: all })],
    ['the header that it was sent', 4, ({ headers }: ChatCall) => faults.status(403, `${headers.authorization}`)],
    ['500 as JSON in JSON', 5, () => faults.status(500, { error: JSON.stringify({ error: { message: all } }) })],
    ['400 as text', 5, () => faults.status(400, all)],
    ['a message that is cut within a secret', 5, () => faults.status(400, { error: `${'x'.repeat(290)} ${long}` })],
    ['an error in the middle of a reply', 5, () => faults.errorMidStream(all, `{"answer":"${secrets[0]}`)],
    ['200 with an error', 5, () => faults.errorWith200(all)],
    ['a reply that cannot be read', 5, () => JSON.stringify({ error: all })],
    ['a content type', 5, () => faults.status(418, all, { 'content-type': `text/${secrets[0]}` })],
  ])('%s', async (_, code, answerWith) => {
    const { run, files } = await plant({ answer: answerWith });
    const asked = await run(['ask', question, 'notes.md', '--json', '--verbose', ...everySink]);
    expect(asked.code, asked.stdout).toBe(code);
    expect([...leaksOf(asked), ...leaksInFiles(files())]).toEqual([]);
    expect(asked.stdout + asked.stderr).not.toContain(long.slice(0, 8));
  });

  it('before a run has begun', async () => {
    const { run, files } = await plant({}, { elsewhere: () => faults.status(401, { error: all }) });
    const args = ['ask', question, 'notes.md', '--provider', 'ollama', '--json', ...everySink];
    const [asked, looked] = [await run(args), await run(['doctor'])];
    expect(asked.code).toBe(4);
    expect([...leaksOf(asked), ...leaksOf(looked), ...leaksInFiles(files())]).toEqual([]);
  });
});

describe.concurrent('secrets from the user', () => {
  it('documents with secrets that the built-in provider quotes', async () => {
    const { run, files } = await plant();
    const args = ['ask', 'Which pool was lowered by hand?', 'notes.md', '--provider', 'extractive'];
    const runs = [await run([...args, ...everySink]), await run([...args, '--json', '--no-journal'])];
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect([...runs.flatMap(leaksOf), ...leaksInFiles(files())]).toEqual([]);
  });

  it('a question and a file name with a secret', async () => {
    const { run, files, cwd } = await plant();
    const name = `${secrets[0]}.md`;
    writeFileSync(join(cwd, name), goodText);
    const args = ['ask', `Was ${secrets[1]} lowered?`, name];
    const runs = [await run([...args, '--json', ...everySink]), await run([...args, '--dry-run'])];
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(resultOf(runs[0]!)).toMatchObject({ resumable: false, task: 'Was [secret] lowered?' });
    expect([...runs.flatMap(leaksOf), ...leaksInFiles(files())]).toEqual([]);
  });

  it('piped text with a secret is sent unchanged, not stored, and the run is not resumed', async () => {
    const { run, files, server } = await plant();
    const asked = await run(['ask', question, '--json', '--max-calls', '1'], document);
    expect(server.requests[0]!.messages.at(-1)!.content).toContain(secrets[0]!);
    const result = resultOf(asked);
    expect(result).toMatchObject({ status: 'partial', resumable: false });
    expect(warned(result, 'not-kept')).toMatch(/cannot be resumed: .*secret .*stdin/);
    expect(files().map((path) => path.split('/').at(-1))).not.toContain('text.1');
    const resumed = await run(['resume', '--json']);
    expect(resultOf(resumed).error).toMatchObject({ code: 'run-changed', message: expect.stringContaining('stdin') });
    expect([...leaksOf(asked), ...leaksOf(resumed), ...leaksInFiles(files())]).toEqual([]);
  });

  it('an address with a login, as a flag: the run is resumed with the configured address', async () => {
    const { run, files, server } = await plant();
    const asked = await run(['ask', question, 'notes.md', '--json', '--max-calls', '1']);
    expect(resultOf(asked)).toMatchObject({ status: 'partial', resumable: true });
    const resumed = await run(['resume', '--json', '--max-calls', '9']);
    expect(resumed.code, resumed.stdout).toBe(0);
    const logins = server.requests.map(({ headers }) => headers.authorization);
    expect(logins[0]).toBe(told.basicAuth(ofFlag));
    expect(new Set(logins).size).toBe(2);
    expect([...leaksOf(asked), ...leaksOf(resumed), ...leaksInFiles(files())]).toEqual([]);
  });
});

describe.concurrent('commands that show settings', () => {
  it.each(['doctor', 'doctor --json', 'config list', 'config list --json', 'config get ollama.host', 'config path'])(
    'rlm %s',
    async (line) => {
      const { run } = await plant();
      const shown = await run(line.split(' '));
      expect(shown.code).toBe(0);
      expect(leaksOf(shown)).toEqual([]);
    },
  );

  it.each([
    ['no JSON', `{"ollama": {"host": "http://me:${ofFlag}@h" "x"}}`],
    ['no JSON, with a password beside the mistake', `{"ollama": {"host": http://me:${ofFlag}@h}}`],
    ['a value of the wrong type', `{"ollama": {"host": ["http://me:${ofFlag}@h"]}}`],
    ['a token where a number belongs', `{"budget": {"maxCalls": "${secrets[0]}"}}`],
  ])('a wrong configuration: %s', async (_, text) => {
    const { run, cwd } = await plant();
    writeFileSync(join(cwd, 'rlm.config.json'), text);
    const runs = [await run(['ask', question, '--json']), await run(['doctor']), await run(['config', 'list'])];
    expect(runs.map(({ code }) => code)).toEqual([3, 3, 3]);
    expect(runs.flatMap(leaksOf)).toEqual([]);
  });

  it('a wrong configuration, and a command line that repeats the passwords of both files', async () => {
    const { run, cwd } = await plant();
    writeFileSync(join(cwd, 'rlm.config.json'), `{"ollama": {"host": "http://x:${ofProjectFile}@p.example" "x"}}`);
    const refused = await run(['ask', question, `--${ofProjectFile}${ofUserFile}`]);
    expect(refused.stderr).toContain('[secret]');
    expect(leaksOf(refused)).toEqual([]);
  });

  it.each([
    ['an unknown flag', ['ask', question, `--api-key=${secrets[0]}`]],
    ['an unknown command', [secrets[0]!]],
    ['a wrong address', ['ask', question, '--json', '--host', `ftp://me:${ofFlag}@h`]],
  ])('a wrong command line: %s', async (_, args) => {
    const { run } = await plant();
    const refused = await run(args);
    expect(refused.code).toBeGreaterThan(1);
    expect(leaksOf(refused)).toEqual([]);
  });

  it('an error that nothing caught', async () => {
    const { env, cwd } = await plant({ planner: () => faults.stall() });
    const crash = join(
      createFolder({ 'crash.mjs': `setTimeout(() => { throw new Error(process.env.PLANTED_0_KEY) }, 300);` }),
      'crash.mjs',
    );
    const line = `NODE_OPTIONS='--import ${crash}' rlm ask '${question}' notes.md --verbose`;
    const crashed = await shell(line, { cwd, env });
    expect(crashed.code).toBe(1);
    expect(crashed.stderr).toContain('unexpected error: [secret]');
    expect(crashed.stderr).toContain('crash.mjs:1');
    expect(leaksOf(crashed)).toEqual([]);
  });
});
