import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { goodText, startServer } from './replies.ts';
import { createFolder, program, start } from './run-rlm.ts';

const root = dirname(dirname(program));

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: unknown; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

/** Replaces `${{ inputs.name }}` by the given input or its default. */
const filled = (text: string, inputs: Readonly<Record<string, string>>) =>
  text.replace(
    /\$\{\{ inputs\.([\w-]+) \}\}/g,
    (_, name: string) => inputs[name] ?? String(action.inputs[name]!.default),
  );

/** Reads a step's file of outputs as GitHub does. */
function outputsIn(text: string): Record<string, string> {
  const found = text.matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm);
  return Object.fromEntries([...found].map(([, name, , value]) => [name, value]));
}

/** Runs the steps in a shell with a step's environment, as GitHub does. Leaves out steps that use other actions. */
async function runAction(
  inputs: Readonly<Record<string, string>>,
  cwd: string,
  more: Readonly<Record<string, string>>,
) {
  const files = createFolder({ outputs: '', summary: '' });
  const given = {
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: join(files, 'outputs'),
    GITHUB_STEP_SUMMARY: join(files, 'summary'),
  };
  let last = { code: 0 as number | null, stdout: '', stderr: '' };
  for (const step of action.runs.steps.filter(
    ({ if: condition, run }) => condition === undefined && run !== undefined,
  )) {
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, inputs)]);
    const env = { RUNNER_TEMP: files, ...given, ...more, ...Object.fromEntries(own) };
    last = await start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!], { cwd, env }).done;
    if (last.code !== 0) break;
  }
  const read = (name: string) => readFileSync(join(files, name), 'utf8');
  return { ...last, outputs: outputsIn(read('outputs')), summary: read('summary') };
}

describe.concurrent('the GitHub action', () => {
  it('is composite, and passes inputs on as variables only', () => {
    expect(action.runs.using).toBe('composite');
    for (const { run = '', shell, uses } of action.runs.steps) {
      expect(run).not.toContain('${{');
      expect(shell ?? uses).toMatch(/^bash$|@v\d+$/);
    }
    for (const { value } of Object.values(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.ask\.outputs\.\w+ \}\}$/);
  });

  it('outputs answer, confidence, status and report, adds to the summary and annotates', async () => {
    const server = await startServer({});
    const cwd = createFolder({ 'notes.md': goodText });
    const question = 'How large was "$(touch hacked)" the pool; `touch hacked`?';
    const done = await runAction({ question, paths: 'notes.md\n', 'min-confidence': '10' }, cwd, {
      RLM_HOME: createFolder(),
      ...server.env,
    });
    expect(done.stderr).toMatch(/^::notice file=notes\.md,/m);
    expect(done.code).toBe(0);
    expect(done.outputs).toEqual({
      answer: expect.stringContaining('lowered to 4 connections [1]'),
      confidence: expect.stringMatching(/^\d+$/),
      status: 'answered',
      report: 'rlm-report.html',
    });
    expect(done.summary).toContain('### Sources');
    expect(readFileSync(join(cwd, 'rlm-report.html'), 'utf8')).toContain('<!doctype html>');
    expect(() => readFileSync(join(cwd, 'hacked'))).toThrow();
  });

  it('ends like rlm: below the threshold, and with failed checks', async () => {
    const server = await startServer({});
    const checks = 'checks:\n  - question: Was it approved?\n    begins: yes\n';
    const cwd = createFolder({ 'notes.md': goodText, 'checks.yaml': checks });
    const env = { RLM_HOME: createFolder(), ...server.env };
    const [below, failed] = await Promise.all([
      runAction(
        {
          question: 'How large was the pool?',
          paths: 'notes.md',
          'min-confidence': '100',
          annotations: 'false',
          report: '',
        },
        cwd,
        env,
      ),
      runAction({ checks: 'checks.yaml', paths: 'notes.md' }, cwd, env),
    ]);
    expect(below).toMatchObject({ code: 7, outputs: { status: 'answered', report: '' } });
    expect(failed).toMatchObject({ code: 7, outputs: { status: 'failed', answer: '' } });
    expect(failed.summary).toContain('## 0 of 1 check passed');
  });
});

describe('the steps for Ollama', () => {
  it('use actions that GitHub still runs: Node 24 begins with these versions', () => {
    const docs = readFileSync(join(root, 'docs/ci.md'), 'utf8');
    const used = [...`${docs}${JSON.stringify(action)}`.matchAll(/actions\/([\w-]+)@v(\d+)/g)];
    const first: Readonly<Record<string, number>> = { checkout: 5, cache: 5, 'upload-artifact': 6 };
    expect(used.length).toBeGreaterThan(2);
    for (const [, name, version] of used) expect([name, Number(version) >= first[name!]!]).toEqual([name, true]);
  });

  it('unpack a release in its format since 0.14, start it and pull the model', async () => {
    const script = (text: string) => `#!/bin/sh\n${text}\n`;
    const folder = createFolder({
      'release/bin/ollama': script('echo "$@" >> "$RUNNER_TEMP/calls"'),
      // Replaces the network and the packer.
      'tools/curl': script('case "$2" in *.tar.zst) tar -c -C "$RELEASE" . ;; *) exit 22 ;; esac'),
      'tools/zstd': script('cat'),
    });
    for (const name of ['release/bin/ollama', 'tools/curl', 'tools/zstd']) chmodSync(join(folder, name), 0o755);
    const { run } = action.runs.steps.find(({ name }) => name === 'Start Ollama')!;
    const env = {
      PATH: `${join(folder, 'tools')}:/usr/bin:/bin`,
      RELEASE: join(folder, 'release'),
      RUNNER_TEMP: folder,
      MODEL: 'llama3.2:3b',
      VERSION: String(action.inputs['ollama-version']!.default),
    };
    const { code, stderr } = await start('bash', ['-eo', 'pipefail', '-c', run!], { env }).done;
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^pull llama3\.2:3b$/m);
  });
});
