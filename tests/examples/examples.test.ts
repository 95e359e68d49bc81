import { type ExecFileOptionsWithStringEncoding, execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rlm-examples-'));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'npx'), quickNpx, { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true }));

const root = join(examples, '..');
const rlm = `'${process.execPath}' -r '${join(root, 'tests/e2e/compiled-once.cjs')}' '${join(root, 'bin/rlm.js')}'`;

/** Replaces `npx rlm`, without npm's second of start-up. The README's command runs with the real npx. */
const quickNpx = `#!/bin/sh\n[ "$1" = rlm ] || exit 127\nshift\nexec ${rlm} "$@"\n`;

/** The environment of a user without Ollama, in which npx does not look for a newer npm. */
const userEnv = () => ({
  ...process.env,
  OLLAMA_HOST: '127.0.0.1:9',
  npm_config_update_notifier: 'false',
  HOME: folder,
  XDG_CONFIG_HOME: folder,
});

/** Runs a program with an empty standard input. */
function runToEnd(program: string, args: readonly string[], options: ExecFileOptionsWithStringEncoding) {
  const running = promisify(execFile)(program, args, options);
  running.child.stdin?.end();
  return running;
}

/** Runs an example as a user does. */
async function run(program: string, file: string): Promise<string> {
  const env = { ...userEnv(), TMPDIR: folder, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  return (await runToEnd(program, [join(examples, file)], { env, encoding: 'utf8' })).stdout;
}

/** Output of each example that never changes: facts of the samples, and their places. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  'simple-question.sh': [/from 40 to 4/, /checkout-service\.log:712/],
  'complex-analysis.sh': [
    /^decompose: Which config revision/m,
    /^ {2}direct: What made the outage worse\? \(/m,
    /^Which config revision set the maximum of the payments pool\?\n.*from 40 to 4 in production. \[1\]\n/m,
    /^How was it fixed\?\n.*Turning the retries off/m,
    /^\[1\] examples\/incident\/postmortem-draft\.md:19$/m,
    /^confidence: \d+$/m,
  ],
  'refactoring.sh': [/examples\/refactoring\/src\/\w[\w-]*\.ts:\d+/],
  'pipe.sh': [/payments-primary saturated/, /stdin:\d+/, /C-1188|retries/],
  'replay-in-ci.sh': [
    /^replay: the same answer, byte by byte$/m,
    /^another question is not in the recording: exit status 5$/m,
  ],
  'ci-gate.sh': [/^gate: answered with enough evidence$/m],
};

describe('examples', { timeout: 120_000 }, () => {
  it('are all here', async () => {
    const scripts = (await readdir(examples)).filter((name) => name.endsWith('.sh'));
    expect(scripts.sort()).toEqual(Object.keys(expected).sort());
  });

  it.concurrent.each(Object.entries(expected))('%s runs as written', async (file, patterns) => {
    const output = await run('sh', file);
    for (const pattern of patterns) expect(output).toMatch(pattern);
  });

  it.concurrent('library.mjs runs as written', async () => {
    const output = await run(process.execPath, 'library.mjs');
    expect(output).toContain('handbook/data-retention.md');
    expect(output).toContain('status answered');
    expect(output).toContain('It is 42. null');
    expect(output).toContain("input-missing: there is no file or folder 'no-such-file.md'");
  });

  describe('the README', () => {
    const runInRoot = (command: string) =>
      runToEnd('sh', ['-c', command], { env: userEnv(), cwd: root, encoding: 'utf8' });

    it.concurrent('begins with a command that answers with the right line, and shows its output', async () => {
      const readme = await readFile(join(root, 'README.md'), 'utf8');
      const [, command] = /^npm ci && npx (rlm ask .*)$/m.exec(readme) ?? [];
      const [, shown, printed] = /^```text\n\$ (rlm ask .*)\n([\s\S]*?)^```$/m.exec(readme) ?? [];
      expect(shown).toBe(command);
      const { stdout, stderr } = await runInRoot(`npx ${command}`);
      expect(printed).toBe(stdout);
      expect(stdout).toContain('examples/incident/checkout-service.log:712');
      expect(stderr).toContain('no language model was used');
      expect(stderr).toMatch(/match \d+\/100/);
    });

    it.concurrent('leads to commands for costs and repeats that work in sequence', async () => {
      const page = await readFile(join(root, 'docs/runs.md'), 'utf8');
      const section = /^## Costs, repeats and records\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
      const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines!).join('');
      const kept = await mkdtemp(join(folder, 'readme-'));
      const inFolder = commands.replaceAll('examples/incident', join(examples, 'incident'));
      expect(inFolder.match(/^(?:\w+=\S+ )?rlm /gm)!.length).toBeGreaterThanOrEqual(6);
      const script = `set -e\nrlm() { ${rlm} "$@"; }\n${inFolder}`;
      const ran = runToEnd('sh', ['-c', script], {
        env: { ...userEnv(), HOME: kept, XDG_CONFIG_HOME: kept },
        cwd: kept,
        encoding: 'utf8',
      });
      const { stdout, stderr } = await ran;
      expect(stdout).toMatch(/^Calls: none, because no language model is used; within /m);
      expect(stdout).toMatch(/^Removed 3 entries, /m);
      expect(stderr).toMatch(/3 reused/);
      expect(await readdir(join(kept, 'telemetry', 'rlm'))).toHaveLength(1);
    });
  });
});
