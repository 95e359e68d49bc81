import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArms } from '../../../src/eval/arms/arm.ts';
import { type EvaluationOptions, type EvaluationProgress, evaluate } from '../../../src/eval/run/evaluate.ts';
import { parseSamples } from '../../../src/eval/samples/read-samples.ts';
import { summarise } from '../../../src/eval/summary/summarise.ts';
import { createScriptedProvider, type ModelRequest, RlmError } from '../../../src/index.ts';
import { errorOf } from '../../support/error-of.ts';
import { sensible } from '../../support/scripted-run.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const lines = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ id: `s${at}`, question: `What is ${at}?`, target: `a${at}` }),
  );

/** Returns the number in the question of a request. */
const numberIn = ({ messages }: ModelRequest): number => Number(/What is (\d+)\?/.exec(JSON.stringify(messages))![1]);

/** The plain call is right for even numbers, the answer prompt always. */
const replies = {
  ...sensible,
  query: (request: ModelRequest) => (numberIn(request) % 2 === 0 ? `a${numberIn(request)}` : 'b'),
  answer: (request: ModelRequest) => ({ answer: `a${numberIn(request)}`, citations: [], assumptions: [] }),
};

type Given = Partial<EvaluationOptions> & { readonly count?: number; readonly script?: object };

function setUp({ count = 4, script = {}, ...given }: Given = {}) {
  const folder = given.cwd ?? tempFolder({ 'text/a.md': 'Some text.\n' });
  const provider = createScriptedProvider({ ...replies, ...script });
  const options: EvaluationOptions = {
    samples: parseSamples(lines(count).join('\n'), join(folder, 'q.jsonl')),
    arms: parseArms(['plain', 'direct'], []),
    paths: ['text'],
    flags: new Map(),
    limits: { calls: null, tokens: null, usd: null },
    resume: false,
    judge: null,
    record: null,
    replay: null,
    signal: new AbortController().signal,
    provider,
    cwd: folder,
    env: { HOME: folder },
    ...given,
  };
  return { folder, provider, options };
}

const promptOf = (name: string) => readFileSync(new URL(`../../../prompts/${name}.md`, import.meta.url), 'utf8');

const journals = (folder: string) => {
  const root = join(folder, '.local/state/rlm/evaluations');
  return existsSync(root) ? readdirSync(root).map((name) => join(root, name, 'journal.jsonl')) : [];
};

describe('an evaluation', () => {
  it('asks every sample with every arm, and pairs them', async () => {
    const seen: EvaluationProgress[] = [];
    const { options } = setUp({ onProgress: (progress) => void seen.push(progress) });
    const found = await evaluate(options);
    expect(found.stopped).toBeNull();
    expect(found.outcomes.map(({ sample, arm, score }) => [sample, arm, score.lenient])).toEqual([
      ['s0', 'plain', 1],
      ['s0', 'direct', 1],
      ['s1', 'plain', 0],
      ['s1', 'direct', 1],
      ['s2', 'plain', 1],
      ['s2', 'direct', 1],
      ['s3', 'plain', 0],
      ['s3', 'direct', 1],
    ]);
    expect(seen.at(-1)).toMatchObject({ done: 8, total: 8, arms: [{ name: 'plain', n: 4, sum: 2 }, { sum: 4 }] });
    const { comparisons, arms, complete } = summarise(found, 'plain');
    expect(comparisons).toMatchObject([{ arm: 'direct', difference: 0.5, wins: 2, losses: 0, ties: 2, n: 4 }]);
    expect(arms).toMatchObject([{ accuracy: 0.5, failed: 0 }, { accuracy: 1 }]);
    expect(complete).toBe(4);
    expect(found.arms[0]!.model).toMatchObject({ provider: 'scripted', model: 'scripted' });
  });

  it('never scores an error as an answer, and counts it as wrong and separately', async () => {
    const query = () => new RlmError('provider-failed', 'a0 a1 a2 a3');
    const { options } = setUp({ script: { query } });
    const found = await evaluate(options);
    const [plain] = summarise(found, 'plain').arms;
    expect(plain).toMatchObject({ n: 4, failed: 4, accuracy: 0, strict: 0 });
    expect(found.outcomes[0]).toMatchObject({ status: 'failed', answer: null, error: { code: 'provider-failed' } });
  });

  it('neither scores nor judges what a run quoted before a limit ended it', async () => {
    const samples = parseSamples(JSON.stringify({ question: 'Where is the vase?', target: 'hall' }), 'q.jsonl');
    const script = { answer: () => new Promise(() => {}) };
    const cwd = tempFolder({ 'text/a.md': 'The vase stands in the hall.\n' });
    const { options } = setUp({ samples, script, cwd, arms: parseArms(['auto'], []), judge: 'scripted/m' });
    const found = await evaluate({ ...options, flags: new Map([['budget.timeout', '0.5']]) });
    expect(found.outcomes[0]).toMatchObject({
      ...{ status: 'failed', answer: expect.stringContaining('hall'), error: { code: 'limit-time' } },
      ...{ score: { lenient: 0, strict: 0 }, judged: null },
    });
  });

  it('ends when no provider is available, and continues later with the missing answers', async () => {
    let isGone = true;
    const query = (request: ModelRequest) =>
      isGone && numberIn(request) > 0 ? new RlmError('provider-unreachable', 'gone') : `a${numberIn(request)}`;
    const { options, folder, provider } = setUp({ script: { query }, count: 8, arms: parseArms(['plain'], []) });
    const flags = new Map([['budget.concurrency', '1']]);
    const first = await evaluate({ ...options, flags });
    expect(first.stopped).toMatchObject({ code: 'provider-unreachable', hint: expect.stringContaining('--resume') });
    expect(first.outcomes.length).toBe(4);
    isGone = false;
    const before = provider.requests.length;
    const again = await evaluate({ ...options, flags, resume: true });
    expect(again.id).toBe(first.id);
    expect(again.outcomes.map(({ score }) => score.lenient)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(provider.requests.length - before).toBe(7);
    expect(journals(folder)).toHaveLength(1);
  });

  it('continues after a kill in the middle of a line without asking again, and with runs that had begun', async () => {
    const { options, folder, provider } = setUp();
    const whole = await evaluate(options);
    const [path] = journals(folder);
    const text = readFileSync(path!, 'utf8');
    const records = text.trimEnd().split('\n');
    // The line of the last direct answer is cut in the middle, after the line that begins its run.
    const lost = records.findLastIndex((line) => line.includes('"outcome"') && line.includes('"arm":"direct"'));
    writeFileSync(path!, `${records.slice(0, lost).join('\n')}\n${records[lost]!.slice(0, 50)}`);
    const asked = provider.requests.length;
    const again = await evaluate({ ...options, resume: true });
    expect(again.outcomes.map(({ score }) => score)).toEqual(whole.outcomes.map(({ score }) => score));
    // The plain answer after the cut is requested again; the run of the direct one replays its journal.
    const behind = records.slice(lost).filter((line) => line.includes('"outcome"') && line.includes('"arm":"plain"'));
    expect(provider.requests.length - asked).toBe(behind.length);
    truncateSync(path!, 0);
    expect(await errorOf(evaluate({ ...options, resume: true }))).toMatchObject({ code: 'run-missing' });
  });

  it('continues only with the same questions, arms and settings', async () => {
    const { options } = setUp({ count: 1 });
    await evaluate(options);
    for (const changed of [
      { arms: parseArms(['plain'], []) },
      { flags: new Map([['budget.maxDepth', '1']]) },
      { env: { ...options.env, RLM_PLANNER: 'always' } },
      { samples: parseSamples(lines(2).join('\n'), 'q.jsonl') },
    ])
      expect(await errorOf(evaluate({ ...options, ...changed, resume: true }))).toMatchObject({ code: 'run-missing' });
  });

  it('continues when an answer reaches a limit of its own arm', async () => {
    const arms = parseArms(['plain'], ['a: strategy=direct stages.critic=always budget.maxCalls=1']);
    const { options } = setUp({ arms, limits: { calls: 1000, tokens: null, usd: null } });
    const found = await evaluate(options);
    expect(found.stopped).toBeNull();
    expect(found.outcomes.filter(({ error }) => error?.code === 'limit-calls')).toHaveLength(4);
  });

  it('spends at most one budget, and keeps whole pairs', async () => {
    const { options, provider } = setUp({ count: 8, limits: { calls: 9, tokens: 1e9, usd: null } });
    const flags = new Map([['budget.concurrency', '2']]);
    const found = await evaluate({ ...options, flags });
    expect(found.stopped).toMatchObject({ code: 'limit-calls' });
    expect(provider.requests.length).toBeLessThanOrEqual(9);
    expect(found.outcomes.length).toBeGreaterThanOrEqual(4);
    expect(found.outcomes.every(({ error }) => error === null)).toBe(true);
    // Earlier spending also counts after a resume.
    const before = provider.requests.length;
    const again = await evaluate({ ...options, flags, resume: true });
    expect(again.stopped).toMatchObject({ code: 'limit-calls' });
    expect(provider.requests.length).toBeLessThanOrEqual(9);
    expect(again.spent.calls).toBe(found.spent.calls + provider.requests.length - before);
  });

  it('is not continued while it runs, because both would spend its budget', async () => {
    const refusals: RlmError[] = [];
    const query = async (request: ModelRequest) => {
      if (refusals.length === 0) refusals.push(await errorOf(evaluate({ ...options, resume: true })));
      return replies.query(request);
    };
    const flags = new Map([['budget.concurrency', '1']]);
    const { options, provider } = setUp({ arms: parseArms(['plain'], []), flags, script: { query } });
    await evaluate(options);
    expect(refusals).toMatchObject([{ code: 'run-busy' }]);
    expect(provider.requests).toHaveLength(4);
    expect((await evaluate({ ...options, resume: true })).stopped).toBeNull();
  });

  it('counts retries, and answers that an interruption cut short', async () => {
    const controller = new AbortController();
    let tries = 0;
    const query = (request: ModelRequest) => {
      tries += 1;
      if (tries === 10) controller.abort(new RlmError('interrupted', 'enough'));
      if (tries % 3 !== 0) throw new RlmError('provider-failed', 'busy', { transient: true, retryAfterMs: 0 });
      return replies.query(request);
    };
    const arms = parseArms(['plain'], []);
    const limits = { calls: 12, tokens: null, usd: null };
    const { options, provider } = setUp({ count: 20, arms, limits, script: { query } });
    const flags = new Map([['budget.concurrency', '1']]);
    const cut = await evaluate({ ...options, flags, signal: controller.signal });
    expect(cut.stopped).toMatchObject({ code: 'interrupted' });
    const found = await evaluate({ ...options, flags, resume: true });
    expect(found.stopped).toMatchObject({ code: 'limit-calls' });
    expect(provider.requests.length).toBeLessThanOrEqual(12);
    expect(found.spent.calls).toBe(provider.requests.length);
  });

  it('ends with the finished answers when it is aborted', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new RlmError('interrupted', 'enough'));
    const { options } = setUp({ count: 20, signal: controller.signal, onProgress });
    const found = await evaluate(options);
    expect(found.stopped).toMatchObject({ code: 'interrupted' });
    expect(found.outcomes.length).toBeLessThan(40);
  });

  it('records, and replays without a provider', async () => {
    const { options, folder } = setUp({ count: 2 });
    const first = await evaluate({ ...options, record: join(folder, 'replies') });
    const { provider: _, ...rest } = options;
    const again = await evaluate({ ...rest, replay: join(folder, 'replies') });
    expect(again.outcomes.map(({ answer, score }) => [answer, score])).toEqual(
      first.outcomes.map(({ answer, score }) => [answer, score]),
    );
    expect(again.arms.map(({ model }) => model)).toEqual([null, null]);
  });

  it('records each answer in a file of its own, whatever the ids are', async () => {
    const { options, folder } = setUp({ arms: parseArms([], ['a+: strategy=plain', 'a_: strategy=plain']) });
    const ids = ['a b', 'a_b', 'a/b', `a${'b'.repeat(300)}`];
    const samples = options.samples.map((sample, at) => ({ ...sample, id: ids[at]! }));
    const found = await evaluate({ ...options, samples, record: join(folder, 'replies') });
    expect(found.outcomes).toHaveLength(8);
    expect(readdirSync(join(folder, 'replies'))).toHaveLength(8);
  });

  it('needs a folder for recordings', async () => {
    const { options, folder, provider } = setUp({ count: 1 });
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'notes');
    await expect(evaluate({ ...options, record: file })).rejects.toMatchObject({ code: 'usage' });
    expect(provider.requests).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('notes');
  });

  it('says which answers the recordings lack, and asks a model only for these', async () => {
    const { options, folder, provider } = setUp({ count: 3 });
    const replies = join(folder, 'replies');
    const { provider: _, ...withoutModel } = options;
    const replay = (flags = options.flags) => evaluate({ ...withoutModel, flags, replay: replies });
    await evaluate({ ...options, record: replies });
    const calls = provider.requests.length;
    await evaluate({ ...options, record: replies });
    expect(provider.requests.length).toBe(calls);

    // The prompt `answer` changes, and the plain calls stay the same.
    const changed = new Map([['prompts', tempFolder({ 'answer.md': `${promptOf('answer')}\nBe brief.\n` })]]);
    const stale = await replay(changed);
    expect(stale.unrecorded).toEqual(['s0', 's1', 's2'].map((sample) => ({ sample, arm: 'direct' })));
    expect(stale.stopped).toMatchObject({ code: 'call-not-recorded', exitCode: 5 });
    expect(stale.outcomes.map(({ arm }) => arm)).toEqual(['plain', 'plain', 'plain']);
    expect((await replay()).unrecorded).toEqual([]);

    rmSync(join(replies, 's1.plain.gz'));
    const before = provider.requests.length;
    const again = await evaluate({ ...options, flags: changed, record: replies });
    expect(again.stopped).toBeNull();
    const asked = provider.requests
      .slice(before)
      .map(({ input, messages }) => [input.prompt, JSON.stringify(messages)]);
    expect(asked.filter(([prompt]) => prompt === 'query')).toEqual([['query', expect.stringContaining('What is 1?')]]);
    expect(asked.filter(([prompt]) => prompt === 'answer')).toHaveLength(3);
    expect((await replay(changed)).unrecorded).toEqual([]);
  });

  it('notices a call that the recording lacks if the run continues without it', async () => {
    const arms = parseArms(['direct'], []);
    const flags = new Map([['stages.critic', 'always']]);
    const { options, folder } = setUp({ count: 1, arms, flags });
    const { provider: _, ...withoutModel } = options;
    const replies = join(folder, 'replies');
    await evaluate({ ...options, record: replies });
    const prompts = tempFolder({ 'critic.md': `${promptOf('critic')}\nBe brief.\n` });
    const changed = new Map([...flags, ['prompts', prompts]]);
    const found = await evaluate({ ...withoutModel, flags: changed, replay: replies });
    expect(found.unrecorded).toEqual([{ sample: 's0', arm: 'direct' }]);
  });

  it('keeps in the recording the calls that a run has paid for before it was cut off', async () => {
    const controller = new AbortController();
    let isCut = true;
    const critic = () => {
      if (isCut) controller.abort(new RlmError('interrupted', 'enough'));
      return sensible.critic as object;
    };
    const arms = parseArms(['direct'], []);
    const { options, folder, provider } = setUp({ count: 1, arms, script: { critic } });
    const flags = new Map([['stages.critic', 'always']]);
    const record = join(folder, 'replies');
    const cut = await evaluate({ ...options, flags, record, signal: controller.signal });
    expect(cut.stopped).toMatchObject({ code: 'interrupted' });
    isCut = false;
    const before = provider.requests.length;
    const again = await evaluate({ ...options, flags, record });
    expect(again.outcomes).toMatchObject([{ status: 'answered', score: { lenient: 1 } }]);
    expect(provider.requests.slice(before).map(({ input }) => input.prompt)).toEqual(['critic']);
  });

  it('does not begin with an unavailable judge', async () => {
    const { provider: _, ...options } = setUp({ judge: 'opneai/x' }).options;
    const extractive = { ...options, flags: new Map([['provider', 'extractive']]) };
    await expect(evaluate(extractive)).rejects.toMatchObject({ code: 'usage' });
    const away = { ...extractive, judge: 'ollama/x', env: { ...options.env, OLLAMA_HOST: 'http://127.0.0.1:1' } };
    await expect(evaluate(away)).rejects.toMatchObject({ code: 'provider-unreachable' });
  });

  it('asks a named judge in addition to the scorers, within the same budget', async () => {
    const query = (request: ModelRequest) => {
      const text = JSON.stringify(request.messages);
      if (!text.includes('Reply YES or NO')) return replies.query(request);
      return text.includes('Reply:\\nb') ? 'No.' : 'YES';
    };
    const { options, provider } = setUp({ judge: 'scripted', script: { query }, arms: parseArms(['plain'], []) });
    const found = await evaluate(options);
    expect(found.outcomes.map(({ judged }) => judged?.isRight)).toEqual([true, false, true, false]);
    expect(found.spent.calls).toBe(8);
    expect(provider.requests).toHaveLength(8);
    const [plain] = summarise(found, 'plain').arms;
    expect(plain).toMatchObject({ calls: 4, judged: { n: 4, accuracy: 0.5, agreed: 1, kappa: 1 } });
  });

  it('counts a sample whose text is missing as failed, and asks the others', async () => {
    const { options, folder } = setUp({ count: 1 });
    const text = `${lines(1)[0]}\n{"id":"m","question":"What is 7?","target":"a7","paths":"gone.md"}`;
    const found = await evaluate({ ...options, samples: parseSamples(text, join(folder, 'q.jsonl')) });
    expect(found.outcomes.map(({ sample, status }) => [sample, status])).toEqual([
      ['s0', 'answered'],
      ['s0', 'answered'],
      ['m', 'failed'],
      ['m', 'failed'],
    ]);
  });

  it.each([
    ['config-invalid', { arms: parseArms([], ['x: prvider=ollama']) }],
    ['input-missing', { paths: ['gone'] }],
  ])('rejects with %s before anything is asked', async (code, changed) => {
    const { options, provider } = setUp(changed);
    await expect(evaluate(options)).rejects.toMatchObject({ code });
    expect(provider.requests).toHaveLength(0);
  });
});

describe('arms', () => {
  it('are names, or settings under a name', () => {
    expect(
      parseArms(['plain', 'rag', 'auto'], ['8b: model=llama3.1:8b strategy=direct', 'big: strategy=plain model=x']),
    ).toEqual([
      { name: 'plain', kind: 'plain', settings: {} },
      { name: 'rag', kind: 'rag', settings: {} },
      { name: 'auto', kind: 'ask', settings: { strategy: 'auto' } },
      { name: '8b', kind: 'ask', settings: { model: 'llama3.1:8b', strategy: 'direct' } },
      { name: 'big', kind: 'plain', settings: { model: 'x' } },
    ]);
  });

  it.each([
    [['plian'], [], 'there is no arm "plian"'],
    [['plain', 'plain'], [], 'two arms are called "plain"'],
    [[], [], 'there is no arm'],
    [[], ['model=x'], '--arm cannot be "model=x"'],
    [[], ['x: model'], '--arm "x" has "model"'],
  ])('%j and %j are refused', (names, described, message) => {
    expect(() => parseArms(names, described)).toThrow(message);
  });

  it('reports a state folder that cannot be written', async () => {
    const { options } = setUp({ env: { HOME: '/nowhere', RLM_HOME: join(tempFolder({ taken: '' }), 'taken') } });
    expect(await errorOf(evaluate(options))).toMatchObject({ code: 'output-unwritable' });
  });
});
