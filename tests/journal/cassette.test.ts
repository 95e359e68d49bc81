import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AskOptions, ask, RlmError } from '../../src/index.ts';
import { type CallRecord, decodeRecord, encodeRecord, type JournalRecord } from '../../src/journal/journal.ts';
import { askRouted, namedProvider } from '../support/routed-run.ts';
import {
  type Asked,
  askScripted,
  decomposing,
  long,
  part,
  plan,
  type Script,
  splitInto,
  variables,
  withEveryStage,
} from '../support/scripted-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const documents = [
  { name: 'a.md', text: 'The pool was limited to 20.\nIt ran out at 02:14.\n' },
  { name: 'b.md', text: 'Release 4.2 went out at 02:00.\n' },
];

const question = 'Why did it fail?';

/** Makes a recorded run. Returns the run and the path of the recording. */
async function record(script: Script = {}, options: AskOptions = {}): Promise<Asked & { readonly path: string }> {
  const path = join(tempFolder(), 'run.cassette');
  return { ...(await askScripted(script, { record: path, ...options }, question)), path };
}

/** Answers from a recording, without a provider. */
const replay = (path: string, options: AskOptions = {}, asked = question) =>
  ask(asked, {
    documents,
    cwd: import.meta.dirname,
    env: { HOME: '/dev/null/nowhere' },
    ...options,
    settings: withEveryStage(options.settings),
    replay: path,
  });

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');
const recordsIn = (path: string) => linesOf(path).map((line) => decodeRecord(line)!);
const isCall = (one: JournalRecord): one is CallRecord => one.type === 'call';
const write = (path: string, records: readonly unknown[]) =>
  writeFileSync(path, records.map((one) => encodeRecord(one as JournalRecord)).join(''));

const tree = splitInto(part('How large was it?'), part('What came next?', 1));

describe('a replay', () => {
  it('gives the same result repeatedly, at the cost of the run', async () => {
    const { result, path } = await record(tree, decomposing);
    const before = readFileSync(path);
    for (const again of [await replay(path, decomposing), await replay(path, decomposing)]) {
      const { answer, citations, confidence, critique, plan, usage, provider, model, status } = again;
      expect({ answer, citations, confidence, critique, plan, provider, model, status }).toEqual({
        answer: result.answer,
        citations: result.citations,
        confidence: result.confidence,
        critique: result.critique,
        plan: result.plan,
        provider: 'scripted',
        model: 'scripted',
        status: 'answered',
      });
      expect(usage).toMatchObject({ calls: result.usage.calls, tokens: result.usage.tokens });
      expect(usage.replayedCalls).toBe(usage.calls);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('finds replies by their place, because the same request may have different replies', async () => {
    const twins = splitInto(part('How large was it?'), part('How large was it?'));
    const answers = ['It was 20.', 'It was 40.'].map((answer) => ({ answer, citations: [], assumptions: [] }));
    const { result, path } = await record({ ...twins, answer: answers }, decomposing);
    const said = ({ recursionTree }: typeof result) => recursionTree!.children.map(({ answer }) => answer);
    expect(said(result)).toEqual(['It was 20.', 'It was 40.']);
    expect(said(await replay(path, decomposing))).toEqual(['It was 20.', 'It was 40.']);
  });

  it('finds a call at another place when only its request is the same', async () => {
    const { path } = await record();
    write(
      path,
      recordsIn(path).map((one) => (isCall(one) ? { ...one, place: `9.${one.place}` } : one)),
    );
    expect((await replay(path)).status).toBe('answered');
  });

  it.each([
    ['more calls', { budget: { maxCalls: 20 } }],
    ['another deadline and concurrency', { budget: { timeout: 60, callTimeout: 9, concurrency: 1 } }],
    ['a limit on tokens', { budget: { maxTokens: 500_000 } }],
    ['a cache', { cache: { enabled: true } }],
    ['a bar', { minConfidence: 0 }],
  ])('is not affected by %s', async (_, settings) => {
    const { result, path } = await record();
    expect(await replay(path, { settings })).toMatchObject({ answer: result.answer });
  });

  it('of a run that reused replies reuses them, within the same limit', async () => {
    const same = splitInto(...Array.from({ length: 5 }, () => part('How large was it?')));
    const options = { settings: { strategy: 'decompose', seed: 7, budget: { maxCalls: 7, maxDepth: 1 } } } as const;
    const { result, path } = await record(same, options);
    expect(result.usage).toMatchObject({ calls: 4, cacheHits: 4 });
    const again = await replay(path, options);
    expect(again).toMatchObject({ status: 'answered', answer: result.answer });
    expect(again.usage).toMatchObject({ calls: 4, replayedCalls: 4, cacheHits: 4, tokens: result.usage.tokens });
  });

  it('of a run that a cache has answered needs no cache', async () => {
    const env = { HOME: tempFolder() };
    const cached = { env, settings: { cache: { enabled: true } } };
    await record({}, cached);
    const { result, requests, path } = await record({}, cached);
    expect(requests).toEqual([]);
    expect(await replay(path)).toMatchObject({ status: 'answered', answer: result.answer, usage: { calls: 0 } });
  });

  it('puts nothing from a recording into the cache', async () => {
    const { path } = await record();
    const forged = recordsIn(path).map((one) =>
      isCall(one) ? { ...one, text: one.text.replace('About', 'Not') } : one,
    );
    write(path, forged);
    const cached = { env: { HOME: tempFolder() }, settings: { cache: { enabled: true } } };
    expect((await replay(path, cached)).answer).toContain('Not');
    const { result, requests } = await askScripted({}, cached, question);
    expect(requests).toHaveLength(3);
    expect(result.answer).toContain('About');
  });

  it('repeats a repair turn', async () => {
    const mended = { answer: 'It was 20.', citations: [], assumptions: [] };
    const { path } = await record({ answer: ['', mended] });
    expect(await replay(path)).toMatchObject({ status: 'answered', answer: 'It was 20.', usage: { calls: 4 } });
  });

  it('reads the form of a journal: sessions and ends among the calls, and a changed run', async () => {
    const { result, path } = await record();
    const [run, ...calls] = recordsIn(path);
    const session = { type: 'session', at: '2026-01-01T00:00:00.000Z', usedMs: 0 };
    const end = { type: 'end', at: '2026-01-01T00:00:00.000Z', usedMs: 5, result };
    write(path, [{ ...run, provider: 'another' }, session, calls[0], end, run, session, ...calls.slice(1), end]);
    expect(await replay(path)).toMatchObject({ status: 'answered', answer: result.answer, provider: 'scripted' });
  });
});

describe('a model that is named beside a recording', () => {
  it('has to be the recorded one', async () => {
    const { path } = await record();
    const others = [{ model: 'other' }, { provider: 'openai' }, { model: 'ollama/scripted' }] as const;
    for (const settings of others)
      await expect(replay(path, { settings })).rejects.toMatchObject({ code: 'call-not-recorded' });
    for (const settings of [{ model: 'scripted' }, { provider: 'auto' }] as const)
      expect(await replay(path, { settings })).toMatchObject({ status: 'answered', provider: 'scripted' });
  });
});

describe('a call that a recording lacks', () => {
  it.each<[string, AskOptions, string]>([
    [
      'another temperature',
      { settings: { temperatures: { planner: 0.1 } } },
      'temperature, window, reply length or seed',
    ],
    ['a seed', { settings: { seed: 3 } }, 'temperature, window, reply length or seed'],
    ['another text', { documents: [{ name: 'a.md', text: 'Something else.' }] }, 'the list of documents'],
  ])('is named with the nearest one: %s', async (_, options, differing) => {
    const { path } = await record();
    const { error, status } = await replay(path, options);
    expect(status).toBe('failed');
    expect(error).toMatchObject({
      code: 'call-not-recorded',
      message: expect.stringContaining(`does not contain the call "planner planner 1" ("${question}")`),
      hint: expect.stringContaining(
        `The most similar recorded call is "planner planner 1" ("${question}"), which differs in ${differing}.`,
      ),
    });
    expect(error!.hint).toContain('--record');
  });

  it('is named with the nearest one: another question', async () => {
    const { path } = await record();
    const { error } = await replay(path, {}, 'When did it fail?');
    expect(error!.message).toContain('"When did it fail?"');
    expect(error!.hint).toContain(`("${question}"), which differs in the question.`);
  });

  it('is named with the nearest one: the same part count at the same place wins', async () => {
    const { path } = await record(tree, decomposing);
    const kept = recordsIn(path).map((one) =>
      isCall(one) && one.place === '0.2 answer 1' ? { ...one, hash: 'x', parts: { ...one.parts, known: 'x' } } : one,
    );
    write(path, kept);
    const { error } = await replay(path, decomposing);
    expect(error!.hint).toContain('"0.2 answer 1" ("What came next?"), which differs in the earlier answers.');
  });

  it('is named with the one at its own place if others are as near', async () => {
    const { path } = await record(splitInto(part('How large was it?'), part('How large was it?')), decomposing);
    const changed = (one: CallRecord) => ({ ...one, hash: one.place, parts: { ...one.parts, known: 'x' } });
    const [run, ...rest] = recordsIn(path).map((one) => (isCall(one) && one.prompt === 'answer' ? changed(one) : one));
    for (const calls of [rest, rest.toReversed()]) {
      write(path, [run, ...calls]);
      const { error } = await replay(path, decomposing);
      const [, place] = /does not contain the call "([^"]+)"/.exec(error!.message)!;
      expect(error!.hint).toContain(`The most similar recorded call is "${place}"`);
    }
  });

  it('names no similar call when there is no call of its kind', async () => {
    const { path } = await record();
    write(
      path,
      recordsIn(path).filter((one) => !isCall(one) || one.prompt !== 'planner'),
    );
    expect((await replay(path)).error!.hint).toContain('It contains no call of the planner prompt.');
  });

  it.each(['answer', 'critic'])('is an error wherever it is missing: %s', async (prompt) => {
    const { path } = await record();
    write(
      path,
      recordsIn(path).filter((one) => !isCall(one) || one.prompt !== prompt),
    );
    expect((await replay(path)).error).toMatchObject({ code: 'call-not-recorded' });
  });

  it('is an error when a part lacks it', async () => {
    const { path } = await record(tree, decomposing);
    write(
      path,
      recordsIn(path).filter((one) => !isCall(one) || one.place !== '0.1 answer 1'),
    );
    const { error } = await replay(path, decomposing);
    expect(error).toMatchObject({ code: 'call-not-recorded', message: expect.stringContaining('"0.1 answer 1"') });
  });
});

describe('a file that is not a recording', () => {
  const damaged: [string, (lines: readonly string[]) => string, RegExp][] = [
    ['nothing', () => '', /does not contain a question/],
    ['text', () => 'hello\nworld\n', /does not contain a question/],
    ['JSON of something else', () => '{"a":1}\n', /does not contain a question/],
    ['calls and no run', (lines) => `${lines.slice(1).join('\n')}\n`, /does not contain a question/],
    ['a torn end', (lines) => lines.join('\n').slice(0, -20), /its end is damaged/],
    ['a changed reply', (lines) => `${lines.join('\n').replace('About', 'Not')}\n`, /record \d of .* is damaged/],
    [
      'a line that is not its own',
      (lines) => `${lines.toSpliced(2, 0, 'x').join('\n')}\n`,
      /record 3 of .* is damaged/,
    ],
  ];
  it.each(damaged)('is refused: %s', async (_, change, why) => {
    const { path } = await record();
    writeFileSync(path, change(linesOf(path)));
    const error = await replay(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RlmError);
    expect(error).toMatchObject({ code: 'cassette-invalid', exitCode: 2, message: expect.stringMatching(why) });
    expect((error as RlmError).hint).toContain('--record');
  });

  it.each<[string, (one: JournalRecord) => unknown, RegExp]>([
    ['of another version', (one) => (isCall(one) ? one : { ...one, version: 99 }), /another version of rlm/],
    ['without a model', (one) => (isCall(one) ? one : { ...one, model: null }), /required fields are missing or/],
    ['without replies', (one) => (isCall(one) ? { ...one, text: null } : one), /required fields/],
    ['with a prompt of its own', (one) => (isCall(one) ? { ...one, prompt: 'x' } : one), /required fields/],
    ['that gives money back', (one) => (isCall(one) ? { ...one, tries: -5 } : one), /required fields/],
  ])('is refused: one %s', async (_, change, why) => {
    const { path } = await record();
    write(path, recordsIn(path).map(change));
    await expect(replay(path)).rejects.toMatchObject({
      code: 'cassette-invalid',
      message: expect.stringMatching(why),
    });
  });

  /** Records a run that asks two models, one of which calls tools, and has a third one as a fallback. */
  async function recordRouted(): Promise<string> {
    const path = join(tempFolder(), 'run.cassette');
    const call = (name: string, given: object) => ({ text: '', toolCalls: [{ name, arguments: given }] });
    const main = namedProvider(
      'main',
      { explore: [call('list_files', {}), call('final_answer', { answer: 'So.' })] },
      { tools: true },
    );
    const models = { critic: { 0: 'other' } };
    const settings = { strategy: 'explore' as const, models, fallbacks: ['spare'] };
    const providers = [main, namedProvider('other'), namedProvider('spare')] as const;
    expect((await askRouted(providers, settings, { record: path, documents }, question)).result.answer).toBe('So.');
    return path;
  }

  /** Replaces the value at the end of a walk along a record's fields, or removes it for undefined. */
  function changed(value: object, walk: readonly number[], to: unknown): unknown {
    const fields = Object.entries(value);
    const [key, old] = fields[walk[0]! % fields.length]!;
    const isInner = walk.length > 1 && typeof old === 'object' && old !== null && Object.keys(old).length > 0;
    const [one, rest] = [isInner ? changed(old, walk.slice(1), to) : to, Object.fromEntries(fields)];
    return Array.isArray(value) ? Object.values({ ...rest, [key]: one }) : { ...rest, [key]: one };
  }

  it('is refused or replayed, whatever one of its fields holds', async () => {
    const path = await recordRouted();
    const records = recordsIn(path);
    const settings = { strategy: 'explore' } as const;
    expect(await replay(path, { settings })).toMatchObject({ status: 'answered', answer: 'So.' });
    const walks = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    const values = fc.constantFrom(undefined, null, 5, -1, 'x', true, [], [null], {}, { a: null });
    await fc.assert(
      fc.asyncProperty(fc.nat(), walks, values, async (at, walk, to) => {
        const one = records[at % records.length]!;
        write(path, records.with(at % records.length, changed(one, walk, to) as JournalRecord));
        const error = await replay(path, { settings }).then(
          (result) => result.error,
          (thrown: unknown) => thrown,
        );
        if (error !== null) expect(error).toMatchObject({ code: expect.not.stringMatching('internal') });
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it.each<[string, object]>([
    ['no models', { models: undefined }],
    ['a model that is null', { models: { other: null } }],
    ['a route that is null', { routes: [null] }],
    ['no fallbacks', { fallbacks: undefined }],
  ])('is refused: one with %s', async (_, wrong) => {
    const path = await recordRouted();
    const routed = (one: JournalRecord) =>
      one.type === 'run' ? { ...one, routing: { ...one.routing, ...wrong } } : one;
    write(path, recordsIn(path).map(routed));
    await expect(replay(path)).rejects.toMatchObject({ code: 'cassette-invalid' });
  });

  it.each([[5], [[null]], [[{ name: 5 }]]])('is refused: one with the tool calls %j', async (toolCalls) => {
    const { path } = await record();
    write(
      path,
      recordsIn(path).map((one) => (isCall(one) ? { ...one, toolCalls } : one)),
    );
    await expect(replay(path)).rejects.toMatchObject({ code: 'cassette-invalid' });
  });

  it('is refused when it is missing, or a folder', async () => {
    await expect(replay(join(tempFolder(), 'at.all'))).rejects.toMatchObject({ code: 'cassette-invalid' });
    await expect(replay(tempFolder())).rejects.toMatchObject({ code: 'cassette-invalid' });
  });
});

describe('a recording', () => {
  it('of a run that fails holds its replies', async () => {
    const { result, path } = await record({ answer: () => new RlmError('request-refused', 'no') });
    expect(result.status).toBe('failed');
    expect(recordsIn(path).filter(isCall)).toMatchObject([{ prompt: 'planner' }]);
  });

  it('is refused before anything is asked when it cannot be written', async () => {
    const folder = tempFolder({ file: '' });
    let asked = 0;
    const script = { planner: () => `${asked++}` };
    for (const path of [folder, join(folder, 'file', 'run.cassette'), '/dev/null']) {
      await expect(askScripted(script, { record: path })).rejects.toMatchObject({ code: 'output-unwritable' });
    }
    expect(asked).toBe(0);
  });

  it('replaces no other file, such as a packed one that is damaged', async () => {
    const path = join(tempFolder(), 'run.cassette.gz');
    for (const content of ['text', gzipSync('text'), gzipSync('text').subarray(0, 15)]) {
      writeFileSync(path, content);
      await expect(askScripted({}, { record: path })).rejects.toMatchObject({
        code: 'output-unwritable',
        message: expect.stringContaining('is not a recording, and a recording would replace it'),
      });
    }
  });

  it('is not a text to ask about, and neither is one that is replayed', async () => {
    const cwd = tempFolder({ 'a.md': 'The pool was limited to 20.\n' });
    const options = { documents: [], cwd, paths: ['.'] };
    const names: unknown[] = [];
    const planner = (request: Parameters<typeof variables>[0]) => {
      names.push(variables(request, 'planner').documents.match(/[^ ]+\.\w+(?=:)/g));
      return plan();
    };
    await askScripted({ planner }, { ...options, record: 'run.jsonl' }, question);
    const { result } = await askScripted({ planner }, { ...options, record: 'run.jsonl' }, question);
    expect(names).toEqual([['a.md'], ['a.md']]);
    expect(await replay('run.jsonl', options)).toMatchObject({ status: 'answered', answer: result.answer });
  });

  it('contains no text of the documents except in replies', async () => {
    const { path } = await record({}, { documents: long });
    expect(readFileSync(path, 'utf8')).not.toContain('Nothing else happened then');
  });
});
