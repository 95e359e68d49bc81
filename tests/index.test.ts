import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untilAborted } from '../src/base/abort.ts';
import { ask, createScriptedProvider, exitCodeOf, type GivenDocument, RlmError } from '../src/index.ts';
import { askScripted, sensible } from './support/scripted-run.ts';
import { tempFolder } from './support/temp-folder.ts';

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: unknown) => (error instanceof RlmError ? error.code : String(error)),
  );

describe('ask', () => {
  it.each(['', '  \n'])('refuses %j as a question', async (question) => {
    expect(await code(askScripted({}, {}, question))).toBe('usage');
  });

  it('refuses a question that is larger than a quarter of the window', async () => {
    expect(await code(askScripted({}, {}, 'why '.repeat(250_000)))).toBe('input-too-large');
  });

  it.each([
    ['config-invalid', { modle: 'x' }, /Did you mean "model"/],
    ['config-invalid', { budget: { maxCall: 3 } }, /Did you mean "budget\.maxCalls"/],
    ['config-invalid', { budget: { maxCalls: 0 } }, /budget\.maxCalls/],
    ['config-invalid', { budget: { maxCalls: '3' } }, /budget\.maxCalls/],
    ['config-invalid', { strategy: 'guess' }, /strategy/],
  ])('refuses with %s the settings %j', async (code, settings, hint) => {
    const work = askScripted({}, { settings: settings as object });
    await expect(work).rejects.toMatchObject({ code, hint: expect.stringMatching(hint) });
  });

  it('names a wrong setting by its key, not by a flag', async () => {
    const work = askScripted({}, { settings: { budget: { maxCalls: 0 } } });
    await expect(work).rejects.toMatchObject({ message: 'settings: "budget.maxCalls" cannot be 0: at least 1' });
  });

  it('compares the answer with the threshold', async () => {
    const { result } = await askScripted({}, { settings: { minConfidence: 10 } });
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'About Why did it fail?',
      error: { code: 'below-bar' },
    });
    expect(exitCodeOf(result)).toBe(7);
  });

  it('reads files in addition to given text, and bytes as well as strings', async () => {
    const cwd = tempFolder({ 'notes/a.md': 'The pool.\n' });
    const documents: GivenDocument[] = [{ name: 'given', text: Buffer.from('Größe\n') }];
    const { of } = await askScripted({}, { cwd, paths: ['notes'], documents });
    expect(of('answer')[0]!.passages.map(({ source, text }) => [source, text])).toEqual([
      ['given', 'Größe\n'],
      ['notes/a.md', 'The pool.\n'],
    ]);
  });

  it.each([
    ['given text alone', 30, 0, 'resolved'],
    ['given text alone, too large', 31, 0, 'input-too-large'],
    ['given text and a file', 20, 10, 'resolved'],
    ['given text and a file, too large together', 20, 11, 'input-too-large'],
    ['two given texts, too large together', [15, 16], 0, 'input-too-large'],
  ])('counts all text against inputs.maxBytes: %s', async (_, given, file, outcome) => {
    const cwd = tempFolder({ 'a.txt': 'f'.repeat(file) });
    const documents = [given].flat().map((bytes, index) => ({ name: `given ${index}`, text: 'g'.repeat(bytes) }));
    const paths = file === 0 ? [] : ['a.txt'];
    expect(await code(askScripted({}, { cwd, paths, documents, settings: { inputs: { maxBytes: 30 } } }))).toBe(
      outcome,
    );
  });

  it.each([
    ['before', () => AbortSignal.abort()],
    ['before, with a reason', () => AbortSignal.abort('enough')],
    ['while it is being prepared', () => AbortSignal.timeout(20)],
  ])('a run cancelled %s is `interrupted`', async (_, makeSignal) => {
    const cwd = tempFolder({ 'a.txt': 'text' });
    const never = () => new Promise<never>(() => {});
    const provider = {
      ...createScriptedProvider(sensible),
      inspect: (signal: AbortSignal) => untilAborted(never(), signal),
    };
    const work = ask('Why?', {
      provider,
      cwd,
      paths: ['a.txt'],
      env: { HOME: '/dev/null/nowhere' },
      signal: makeSignal(),
    });
    const error = { code: 'interrupted', message: 'the run was cancelled' };
    expect(await work).toMatchObject({ status: 'cancelled', answer: null, error });
  });

  it('ends soon after its signal, even if its own provider does not heed it', async () => {
    const provider = { ...createScriptedProvider(sensible), call: () => new Promise<never>(() => {}) };
    const options = { provider, documents: [{ name: 'a', text: 'x' }], env: { HOME: '/dev/null/nowhere' } };
    expect(await ask('Why?', { ...options, signal: AbortSignal.timeout(20) })).toMatchObject({ status: 'cancelled' });
  });

  it('a run cancelled for a reason of ours keeps the reason', async () => {
    const signal = AbortSignal.abort(new RlmError('terminated', 'by SIGTERM'));
    const cwd = tempFolder({ 'a.txt': 'text' });
    const { result } = await askScripted({}, { cwd, paths: ['a.txt'], signal });
    expect(result.error?.code).toBe('terminated');
  });

  it('accepts documents from a function, which gets the signal', async () => {
    const { signal } = new AbortController();
    let seen: AbortSignal | null = null;
    const documents = async (given: AbortSignal) => {
      seen = given;
      return [{ name: 'late', text: 'x\n' }];
    };
    const { of } = await askScripted({}, { documents, signal });
    expect(of('planner')[0]!.documents).toBe('- late: 1 line, 2 bytes, text');
    expect(seen).toBeInstanceOf(AbortSignal);
  });

  it('rejects for a missing path', async () => {
    const cwd = tempFolder();
    expect(await code(askScripted({}, { cwd, paths: ['gone.md'] }))).toBe('input-missing');
  });

  it("takes prompts of the user's own", async () => {
    const folder = tempFolder({
      'answer.md': '## System\nBe brief.\n## User\n{{passages}}{{known}}{{question}}{{format}}',
    });
    const { requests } = await askScripted({}, { settings: { prompts: folder } });
    expect(requests[1]!.messages[0]!.content).toBe('Be brief.');
    expect(await code(askScripted({}, { settings: { prompts: join(folder, 'gone') } }))).toBe('prompt-invalid');
  });

  it('passes on warnings about the environment', async () => {
    const { result } = await askScripted({}, { env: { HOME: '/dev/null/nowhere', RLM_MODLE: 'x' } });
    expect(result).toMatchObject({
      warningCodes: ['configuration'],
      warnings: [expect.stringMatching(/RLM_MODLE.*RLM_MODEL\?/)],
    });
  });

  it('may run many times concurrently, each with its own numbers', async () => {
    const results = await Promise.all(
      ['a?', 'b?', 'c?'].map((question) =>
        ask(question, {
          provider: createScriptedProvider(sensible, { latencyMs: 5 }),
          documents: [{ name: 'x', text: 'y' }],
          cwd: tempDir,
          env: { HOME: '/dev/null/nowhere' },
        }),
      ),
    );
    expect(results.map(({ answer, usage }) => [answer, usage.calls])).toEqual([
      ['About a?', 1],
      ['About b?', 1],
      ['About c?', 1],
    ]);
    expect(new Set(results.map(({ runId }) => runId)).size).toBe(3);
  });
});

const tempDir = import.meta.dirname;
