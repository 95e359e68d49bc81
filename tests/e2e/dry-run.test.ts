import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokensOf, weigh } from '../../src/context/text-size.ts';
import type { DryRun } from '../../src/index.ts';
import { shaped } from '../support/shapes.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, program, resultOf, rlm, startRlm } from './run-rlm.ts';

const ask = ['ask', 'How large was the pool?', 'a.md', '--dry-run'];

/** Makes a dry run with a server that must get no request. */
async function tryOut(
  args: readonly string[],
  files: Record<string, string> = { 'a.md': goodText },
  env: Record<string, string> = {},
) {
  const server = await startServer();
  const cwd = createFolder(files);
  const run = await rlm(args, { cwd, env: { ...server.env, ...env } });
  expect(server.requests).toEqual([]);
  expect(server.paths).not.toContain('/api/chat');
  return { ...run, cwd };
}

describe.concurrent('--dry-run', () => {
  it('shows inputs, approach and worst case, and asks nothing', async () => {
    const { code, stdout, stderr, cwd } = await tryOut(ask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        `Inputs: 1 document, ${goodText.length} bytes, at most about ${tokensOf(weigh(goodText))} tokens`,
        `  a.md  ${goodText.length} bytes, 3 lines`,
        'Model: ollama qwen2.5-coder:14b',
        'Approach: direct (the whole text fits one prompt; window of 8,192 tokens)',
        'Calls: 3 at least; at worst 18, with 147,456 tokens and no cost, within 10 min 0 s',
        'No model was called. Omit --dry-run to ask the question.',
        '',
      ].join('\n'),
    );
    expect(readdirSync(cwd)).toEqual(['a.md']);
  });

  it.each([
    ['--json', ['--json']],
    ['--format ndjson', ['--format', 'ndjson']],
  ])('with %s prints one object of the shipped schema', async (_, flags) => {
    const { stdout } = await tryOut([...ask, ...flags, '--max-calls', '5', '--max-tokens', '9000']);
    const found = shaped<DryRun>('dry-run', JSON.parse(stdout));
    expect(found).toMatchObject({
      dryRun: true,
      task: 'How large was the pool?',
      provider: 'ollama',
      approach: 'direct',
      worstCase: { calls: 5, tokens: 9_000, usd: 0 },
    });
    expect(stdout.trimEnd()).not.toContain('\n');
    const shipped = JSON.parse(readFileSync(join(program, '../../schemas/dry-run.schema.json'), 'utf8'));
    expect(shipped.required).toEqual(Object.keys(found));
  });

  it('says what the planner decides if the text does not fit, and what the facts decide', async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`d/${index}.md`, 'word '.repeat(2_000)]));
    const { stdout } = await tryOut(['ask', 'Why?', 'd', '--dry-run'], many);
    expect(stdout).toContain('Approach: the planner chooses direct, decompose, scan, explore or repl (');
    expect(stdout).toContain('at worst 50, with 819,200 tokens');
    const failed = await tryOut(['ask', 'Why?', 'd', '--dry-run', '--fail-count', '5'], many, { RLM_PLANNER: 'auto' });
    expect(failed.stdout).toMatch(/^Approach: explore \(5 attempts .*window of 16,384 tokens\)$/m);
    expect(stdout).toContain('  … and 5 more\n');
  });

  it('says that there is no text, and that the extractive provider asks no model', async () => {
    const none = await tryOut(['ask', 'Why?', '--dry-run'], {});
    expect(none.stdout).toContain('Inputs: 0 documents');
    expect(none.stdout).toContain('; no text; window');
    const extractive = await tryOut([...ask, '--provider', 'extractive']);
    expect(extractive.stdout).toMatch(/^Calls: none.*within 10 min 0 s$/m);
  });

  it('writes to the file of -o, which is not an input', async () => {
    const { code, stdout, cwd } = await tryOut(['ask', 'Why?', '.', '--dry-run', '--json', '-o', 'plan.json'], {
      'a.md': goodText,
      'plan.json': '{}',
      '.rlmignore': 'plan.json',
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const { documents } = shaped<DryRun>('dry-run', JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')));
    expect(documents.map(({ name }) => name)).toEqual(['a.md']);
  });

  it.each<[number, string, string[]]>([
    [2, 'input-missing', ['ask', 'Why?', 'missing.md']],
    [2, 'usage', ['ask', '']],
    [2, 'usage', ['ask', 'Why?', 'a.md', '--replay', 'x']],
    [2, 'output-unwritable', ['ask', 'Why?', 'a.md', '-o', '.']],
    [2, 'no-text', ['ask', 'Why?', '--provider', 'extractive']],
    [3, 'prompt-invalid', ['ask', 'Why?', 'a.md', '--prompts', 'nowhere']],
    [4, 'model-missing', ['ask', 'Why?', 'a.md', '--provider', 'ollama', '--model', 'none']],
    [4, 'provider-unreachable', ['ask', 'Why?', 'a.md', '--provider', 'ollama', '--host', 'http://127.0.0.1:1']],
  ])('fails with %d like the run: %s', async (code, error, args) => {
    const run = await tryOut([...args, '--dry-run', '--json']);
    expect(run.code, run.stderr).toBe(code);
    expect(resultOf(run)).toMatchObject({ status: 'failed', runId: null, error: { code: error } });
    expect(run.stderr).toContain('rlm: ');
    const text = await tryOut([...args, '--dry-run']);
    expect({ code: text.code, stdout: text.stdout }).toEqual({ code, stdout: '' });
  });

  it.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const)('ends on %s while it reads piped text', async (signal, code, error) => {
    const run = startRlm(['ask', 'Why?', '--dry-run', '--json', '--provider', 'extractive'], { stdin: 'open' });
    await run.shows('stderr', 'still reading stdin');
    run.kill(signal);
    const finished = await run.done;
    expect(finished).toMatchObject({ code, signal: null });
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled', error: { code: error } });
  });
});
