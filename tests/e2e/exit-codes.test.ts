import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { faults } from '../servers/ollama-server.ts';
import { answer, goodText, startServer } from './replies.ts';
import { createFolder, resultOf, rlm, startRlm } from './run-rlm.ts';

const ask = ['ask', 'How many connections?', 'notes.md', '--json'];
const folder = () => createFolder({ 'notes.md': goodText });

describe.concurrent('exit statuses, each with its JSON', () => {
  it('0: answered', async () => {
    const run = await rlm(ask, { cwd: folder() });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ status: 'answered', stopReason: 'completed', error: null });
  });

  it('0: the text does not contain the answer', async () => {
    const run = await rlm(['ask', 'Who sang in the opera?', 'notes.md', '--json'], { cwd: folder() });
    expect(run.code).toBe(0);
    expect(resultOf(run)).toMatchObject({ status: 'answered', confidence: null, citations: [], error: null });
    expect((await rlm(['help', 'exit-codes'])).stdout).toContain('the text does not contain the answer');
  });

  it('2: a missing input', async () => {
    const run = await rlm(ask);
    expect(run.code).toBe(2);
    expect(resultOf(run)).toMatchObject({ status: 'failed', answer: null, error: { code: 'input-missing' } });
  });

  it('3: a configuration that is not JSON', async () => {
    const run = await rlm(ask, { cwd: createFolder({ 'notes.md': goodText, 'rlm.config.json': '{' }) });
    expect(run.code).toBe(3);
    expect(resultOf(run).error?.code).toBe('config-invalid');
  });

  it('4: no server at the address', async () => {
    const run = await rlm([...ask, '--provider', 'ollama'], { cwd: folder() });
    expect(run.code).toBe(4);
    expect(resultOf(run)).toMatchObject({ status: 'failed', answer: null, error: { code: 'provider-unreachable' } });
  });

  it('5: replies that cannot be used', async () => {
    const { env } = await startServer({ answer: '{"error": "I would rather not."}' });
    const run = await rlm([...ask, '--strategy', 'direct'], { cwd: folder(), env });
    expect(resultOf(run)).toMatchObject({ status: 'failed', answer: null, error: { code: 'reply-unusable' } });
    expect(run.code).toBe(5);
  });

  it('6: a limit', async () => {
    const { env } = await startServer({ answer: faults.stall() });
    const run = await rlm([...ask, '--timeout', '2'], { cwd: folder(), env });
    expect(run.code).toBe(6);
    expect(resultOf(run)).toMatchObject({ status: 'partial', error: { code: 'limit-time' } });
  });

  it('7: below a required threshold, with the answer kept', async () => {
    const run = await rlm([...ask, '--min-confidence', '100'], { cwd: folder() });
    expect(run.code).toBe(7);
    const result = resultOf(run);
    expect(result).toMatchObject({ status: 'answered', stopReason: 'below-bar', error: { code: 'below-bar' } });
    expect(result.answer).toContain('connections');
  });

  it('7: the text does not answer, with --fail-on not-found; 0 if it does', async () => {
    const cwd = folder();
    const unsaid = await rlm(['ask', 'Who sang in the opera?', 'notes.md', '--json', '--fail-on', 'not-found'], {
      cwd,
    });
    expect(unsaid.code).toBe(7);
    expect(resultOf(unsaid)).toMatchObject({ status: 'answered', tells: 'nothing', error: { code: 'not-found' } });
    expect((await rlm([...ask, '--fail-on', 'not-found'], { cwd })).code).toBe(0);
    const wrong = await rlm([...ask, '--fail-on', 'nothing'], { cwd });
    expect([wrong.code, resultOf(wrong).error?.code]).toEqual([2, 'usage']);
  });

  it('7: not in the form of --schema; otherwise stdout holds only the form', async () => {
    const cwd = folder();
    const schema = (type: unknown) => `{"type": "object", "properties": {"orders": {"type": ${JSON.stringify(type)}}}}`;
    const records = createFolder({ 'orders.csv': 'customer,orders\nAcme,2\nBolt,1\n' });
    const count = ['ask', 'What is the orders of Acme?', 'orders.csv', '-p', 'extractive'];
    const filled = await rlm([...count, '--schema', schema('integer')], { cwd: records });
    expect(filled.code).toBe(0);
    expect(JSON.parse(filled.stdout)).toEqual({ orders: 2 });
    const unmet = await rlm([...ask, '--schema', schema('boolean')], { cwd });
    expect(unmet.code).toBe(7);
    expect(resultOf(unmet)).toMatchObject({ status: 'answered', data: null, error: { code: 'schema-unmet' } });
  });

  it.each([
    ['Yes.', 0, 40],
    ['No, the pool was lowered [P1].', 0, 20],
    ['Yes.', 7, 100],
  ])('yes or no has a confidence: %s is %i if %i is required', async (said, code, bar) => {
    const { env } = await startServer({ answer: answer(said, 'P1', 'lowered from 40 to 4') });
    const asked = ['ask', 'Was the pool lowered from 40 to 4 connections?', ...ask.slice(2)];
    const run = await rlm([...asked, '--min-confidence', String(bar)], { cwd: folder(), env });
    expect(run.code, run.stdout).toBe(code);
    expect(resultOf(run).confidence).toBeGreaterThan(0);
  });

  it('7: an unknown confidence is below any threshold', async () => {
    const { env } = await startServer({ answer: { answer: 'Four.', citations: [], assumptions: [] } });
    const run = await rlm([...ask, '--min-confidence', '0'], { cwd: folder(), env });
    expect(run.code).toBe(7);
    expect(resultOf(run)).toMatchObject({ answer: 'Four.', confidence: null });
  });

  it.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
    ['SIGHUP', 129, 'hung-up'],
  ] as const)('%s: %i', async (signal, code, error) => {
    const server = await startServer({ answer: faults.stall() });
    const run = startRlm(ask, { cwd: folder(), env: server.env });
    await run.shows('stderr', 'plan:');
    run.kill(signal);
    const finished = await run.done;
    expect(finished.code).toBe(code);
    expect(resultOf(finished)).toMatchObject({ status: 'cancelled', answer: null, error: { code: error } });
  });

  it('the help lists every status that can occur', async () => {
    const { stdout } = await rlm(['help', 'exit-codes']);
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ +/g, ' '));
    for (const [code, about] of Object.entries(exitCodes)) expect(lines).toContain(`${code} ${about}`);
  });
});
