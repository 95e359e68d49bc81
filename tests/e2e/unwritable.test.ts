/**
 * If a requested output cannot be written, the exit status shows it: a recording, an audit, an answer in a file, a log,
 * a step summary.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goodText, startServer } from './replies.ts';
import { createFolder, rlm, shell } from './run-rlm.ts';

const ask = ['ask', 'How large was the pool?', 'notes.md', '--provider', 'ollama'];

const createPlace = () => {
  const cwd = createFolder({ 'notes.md': goodText, file: '' });
  mkdirSync(join(cwd, 'folder'));
  return cwd;
};

interface Asked {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<string, (path: string) => Asked>> = {
  '-o': (path) => ({ flags: ['-o', path], env: {} }),
  '--record': (path) => ({ flags: ['--record', path], env: {} }),
  '--log-file': (path) => ({ flags: ['--log-file', path], env: {} }),
  '--step-summary': (path) => ({ flags: ['--step-summary'], env: { GITHUB_STEP_SUMMARY: path } }),
  '--audit': (path) => ({ flags: ['--audit'], env: { RLM_AUDIT_DIR: path } }),
};

/** Paths that cannot be written, and the kinds of output that may create them. */
const places = [
  ['a full disk', '/dev/full', ['--audit']],
  ['a folder', 'folder', ['--audit']],
  ['a folder below a file', 'file/x', []],
  ['a folder that can never be made', '/proc/nope/x', []],
] as const;

const cases = Object.keys(kinds).flatMap((kind) =>
  places.flatMap(([about, path, others]) =>
    others.some((other) => other === kind) ? [] : [[kind, about, path] as const],
  ),
);

it.each(['--version', '--help'])('stdout that cannot be written is reported: %s', async (flag) => {
  const run = await shell(`rlm ${flag} > /dev/full`, {});
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('stdout cannot be written (ENOSPC)') });
});

describe.concurrent('requested files that cannot be written', () => {
  it.each(cases)('%s on %s gives exit status 2, with the place', async (kind, _, path) => {
    const server = await startServer();
    const { flags, env } = kinds[kind]!(path);
    const cwd = createPlace();
    const run = await rlm([...ask, ...flags], { cwd, env: { ...server.env, ...env } });
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toContain(path.split('/').slice(0, 2).join('/'));
    expect(run.stderr).toMatch(/can(not)? be written|can be kept/);
    // No call is made if the answer cannot be written, unless the disk turns out to be full.
    if (path !== '/dev/full') expect(server.requests).toEqual([]);
    expect(readdirSync(join(cwd, 'folder'))).toEqual([]);
  });

  it('--audit in a place that is not a folder is an error', async () => {
    const run = await rlm(ask, { cwd: createPlace(), env: { RLM_AUDIT_DIR: 'file' } });
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/no audit file .*\S*file: .*not a folder/);
  });

  it('--step-summary of checks gives exit status 2, with the place', async () => {
    const cwd = createPlace();
    writeFileSync(join(cwd, 'checks.yml'), 'paths: [notes.md]\nchecks:\n  - question: How large was the pool?\n');
    const env = { GITHUB_STEP_SUMMARY: 'file/x' };
    const run = await rlm(['checks', 'checks.yml', '--provider', 'extractive', '--step-summary'], { cwd, env });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('file/x cannot be written (ENOTDIR)')]);
  });

  it.each(['-o', '--record', '--log-file', '--audit'])(
    '%s in a missing folder creates it, or says so',
    async (kind) => {
      const { env } = await startServer();
      const { flags, env: more } = kinds[kind]!('new/x');
      const cwd = createPlace();
      const run = await rlm([...ask, ...flags], { cwd, env: { ...env, ...more } });
      if (run.code === 0) expect(readdirSync(join(cwd, 'new'))).toContain('x');
      else expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('new/x cannot be written (ENOENT)')]);
    },
  );
});
