import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faults } from '../servers/ollama-server.ts';
import { goodText, startServer } from './replies.ts';
import { createFolder, resultOf, rlm, startRlm } from './run-rlm.ts';

const ask = ['ask', 'How large was the pool?', 'a.md', '--json'];

const auditsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, audit: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));

/** Makes a run with an audit. Returns its output and the audit file. */
async function audited(folder: string, options: { flags?: string[]; env?: Record<string, string> } = {}) {
  const server = await startServer();
  const cwd = createFolder({ 'a.md': goodText });
  const env = { ...server.env, ...options.env };
  const run = await rlm([...ask, ...(options.flags ?? [])], { cwd, env });
  return { result: resultOf(run), audits: auditsIn(join(cwd, folder)) };
}

describe.concurrent('the audit file', () => {
  it.each([
    ['--audit, in telemetry/rlm', 'telemetry/rlm', { flags: ['--audit'] }],
    ['RLM_AUDIT_DIR', 'logs/audits', { env: { RLM_AUDIT_DIR: 'logs/audits' } }],
  ])('is written with %s', async (_, folder, options) => {
    const { result, audits } = await audited(folder, options);
    expect(audits).toHaveLength(1);
    expect(audits[0]).toMatchObject({
      name: `${result.runId}.json`,
      audit: {
        task_id: result.runId,
        query: 'How large was the pool?',
        status: 'answered',
        error: null,
        trajectory: {
          steps: [
            { step: 1, kind: 'call', path: 'planner', from: 'model' },
            { step: 2, kind: 'call', path: '0', from: 'model' },
            { step: 3, kind: 'call', path: 'critic', from: 'model' },
          ],
          total_subcalls: 0,
          cached_hits: 0,
        },
        findings: [{ path: '0', answer: result.recursionTree!.answer }],
        citations: [{ number: 1, source: 'a.md', quote: 'lowered from 40 to 4' }],
        usage: { subcall_count: 0, total_tokens: result.usage.tokens.input + result.usage.tokens.output },
      },
    });
  });

  it('is written only on request', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText });
    await rlm(ask, { cwd, env: server.env });
    expect(readdirSync(cwd)).toEqual(['a.md']);
  });

  it('is written for a run that fails, that is interrupted, and that could not begin', async () => {
    const cwd = createFolder({ 'a.md': goodText });
    const env = { RLM_AUDIT_DIR: 'audits' };
    const failing = await startServer({ answer: faults.status(400, { error: 'no' }) });
    expect((await rlm(ask, { cwd, env: { ...env, ...failing.env } })).code).toBe(5);
    const stalling = await startServer({ answer: faults.stallMidStream() });
    const running = startRlm([...ask.slice(0, 3), '--format', 'ndjson'], { cwd, env: { ...env, ...stalling.env } });
    await running.shows('stdout', '"type":"node.judged"');
    running.kill('SIGINT');
    await running.done;
    expect((await rlm(['ask', 'Why?', 'missing.md'], { cwd, env })).code).toBe(2);
    const codes = auditsIn(join(cwd, 'audits')).map(({ audit }) => `${audit.status} ${audit.error.code}`);
    expect(codes.sort()).toEqual(['cancelled interrupted', 'failed input-missing', 'failed request-refused']);
  });

  it('is refused before anything is asked if it cannot be written', async () => {
    const server = await startServer();
    const cwd = createFolder({ 'a.md': goodText, file: '' });
    const run = await rlm(ask, { cwd, env: { ...server.env, RLM_AUDIT_DIR: 'file/audits' } });
    expect(run.code).toBe(2);
    expect(resultOf(run).error).toMatchObject({ code: 'output-unwritable' });
    expect(server.requests).toEqual([]);
  });

  it('changes the exit status if it cannot be written at the end, and the answer arrives', async () => {
    const cwd = createFolder({ 'a.md': goodText });
    const critic = () => {
      rmSync(join(cwd, 'audits'), { recursive: true, force: true });
      writeFileSync(join(cwd, 'audits'), 'no folder any more');
      return { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'It holds.' };
    };
    const server = await startServer({ critic });
    const run = await rlm(ask, { cwd, env: { ...server.env, RLM_AUDIT_DIR: 'audits' } });
    expect(run.code, run.stderr).toBe(2);
    expect(resultOf(run)).toMatchObject({ status: 'answered', error: { code: 'output-unwritable' } });
  });

  it('cannot be sent elsewhere by a project', async () => {
    const target = join(createFolder(), 'audits');
    const cwd = createFolder({ 'a.md': goodText, 'rlm.config.json': JSON.stringify({ audit: target }) });
    expect((await rlm(ask, { cwd })).code).toBe(3);
    expect(existsSync(target)).toBe(false);
  });
});
