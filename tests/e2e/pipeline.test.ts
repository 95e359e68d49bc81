import { describe, expect, it } from 'vitest';
import { type ChatCall, faults, promptOf } from '../servers/ollama-server.ts';
import { createGate } from '../support/gate.ts';
import { answer, goodText, plan, startServer } from './replies.ts';
import { createFolder, eventsOf, resultOf, rlm } from './run-rlm.ts';

const lines = (about: string, count = 2_000) =>
  Array.from(
    { length: count },
    (_, line) => `${about} ${line}: the ${about} service answered in ${line % 90} ms.`,
  ).join('\n');

/** More text than fits the largest window. */
const bigFolder = () =>
  createFolder({
    'checkout.log': `${lines('checkout')}\nThe pool was lowered by config C-1187.\n${lines('orders')}\n`,
    'deploys.md': `${lines('deploy', 500)}\nConfig C-1187 was written by Mara.\n`,
    'notes.md': goodText,
  });

const task = 'Which change broke the pool, and who wrote that change?';
const questionOf = ({ messages }: ChatCall) => /question:\s+(.+)/i.exec(messages.at(-1)!.content)?.[1] ?? '';
const passageWith = ({ messages }: ChatCall, words: string) =>
  messages
    .at(-1)!
    .content.split('<passage ')
    .find((passage) => passage.includes(words))
    ?.match(/id="(P\d+)"/)?.[1] ?? 'P0';

const recursive = {
  planner: plan('decompose', ['Which change broke the pool?', ['Who wrote the change?', [1]]]),
  assess: (call: ChatCall) =>
    questionOf(call).startsWith('Which change')
      ? { verdict: 'COMPLEX', reason: 'two things' }
      : { verdict: 'SIMPLE', reason: 'one fact' },
  decompose: {
    subQuestions: [
      { question: 'When was the pool lowered?', needs: [] },
      { question: 'By which config was the pool lowered?', needs: [] },
    ],
  },
  answer: (call: ChatCall) =>
    questionOf(call).startsWith('Who')
      ? answer(
          `Mara [${passageWith(call, 'written by Mara')}].`,
          passageWith(call, 'written by Mara'),
          'written by Mara',
        )
      : answer(
          `C-1187 [${passageWith(call, 'lowered by config')}].`,
          passageWith(call, 'lowered by config'),
          'lowered by config C-1187',
        ),
  compose: (call: ChatCall) => {
    const marks = [...call.messages.at(-1)!.content.matchAll(/Answer: .*?(\[P\d+\])/g)].map(([, mark]) => mark);
    return { finalAnswer: `It was C-1187, by Mara ${[...new Set(marks)].join('')}.`, assumptions: [] };
  },
};

describe.concurrent('the whole pipeline', () => {
  it('recurses, passes answers on, and shows its evidence', async () => {
    const server = await startServer(recursive, { latencyMs: 20 });
    const run = await rlm(['ask', task, '.', '--format', 'ndjson', '--refine', '0'], {
      cwd: bigFolder(),
      env: server.env,
    });
    expect(run.code).toBe(0);
    const { events, last } = eventsOf(run);
    expect(events[0]).toMatchObject({ type: 'run.started', fits: false, documents: 3 });

    const { result } = last;
    const root = result.recursionTree!;
    expect(root).toMatchObject({ depth: 0, strategy: 'decompose' });
    expect(root.children.map(({ path, strategy }) => [path, strategy])).toEqual([
      ['0.1', 'decompose'],
      ['0.2', 'direct'],
    ]);
    expect(root.children[0]!.children.map(({ path, depth }) => [path, depth])).toEqual([
      ['0.1.1', 2],
      ['0.1.2', 2],
    ]);
    expect(result.answer).toMatch(/^It was C-1187, by Mara \[1\]\[2\]\.$/);
    expect(result.citations.map(({ source, quote }) => [source, quote])).toEqual([
      ['checkout.log', 'lowered by config C-1187'],
      ['deploys.md', 'written by Mara'],
    ]);
    expect(result).toMatchObject({ status: 'answered', critique: { score: 70 }, warnings: [] });

    const asked = (prompt: string) => server.requests.filter((request) => promptOf(request) === prompt);
    expect(asked('planner')).toHaveLength(1);
    expect(asked('answer')).toHaveLength(3);
    expect(asked('compose')).toHaveLength(2);
    expect(asked('critic')).toHaveLength(1);
    const second = asked('answer').find((call) => questionOf(call).startsWith('Who'))!;
    expect(second.messages.at(-1)!.content).toContain('It was C-1187');
  });

  it('counts like the server, in one window, with nothing cut', async () => {
    const server = await startServer(recursive);
    const result = resultOf(await rlm(['ask', task, '.', '--json'], { cwd: bigFolder(), env: server.env }));
    expect(result.usage.calls).toBe(server.requests.length);
    expect(result.usage.subCalls).toBeLessThan(result.usage.calls);
    expect(server.requests.map(({ cut }) => cut)).not.toContain(true);
    expect(new Set(server.requests.map(({ options }) => options['num_ctx'])).size).toBe(1);
    for (const { body, options } of server.requests) {
      expect(body).toMatchObject({ truncate: false, stream: true });
      expect(options['num_ctx']).toBeGreaterThanOrEqual(2048);
    }
    const temperatures = Object.fromEntries(
      server.requests.map((request) => [promptOf(request), request.options['temperature']]),
    );
    expect(temperatures).toEqual({ planner: 0.5, assess: 0.4, decompose: 0.4, answer: 0.7, compose: 0.7, critic: 0.3 });
  });

  it('takes three calls for text that fits, whatever the planner says', async () => {
    const server = await startServer(recursive);
    const cwd = createFolder({ 'notes.md': goodText });
    const result = resultOf(await rlm(['ask', task, 'notes.md', '--json'], { cwd, env: server.env }));
    expect(result.plan).toMatchObject({ approach: 'direct' });
    expect(server.requests).toHaveLength(3);
  });

  it('reports an error if the server cuts the prompt despite the request not to', async () => {
    const server = await startServer({}, { ignoreTruncate: true, loadedContext: 512 });
    const run = await rlm(['ask', task, '.', '--json'], {
      cwd: createFolder({ 'notes.md': goodText.repeat(60) }),
      env: server.env,
    });
    expect(run.code).toBe(5);
    expect(resultOf(run)).toMatchObject({ answer: null, error: { code: 'prompt-too-long' } });
  });
});

describe.concurrent('limits', () => {
  it.each([1, 2, 3, 4, 5, 6])('--max-calls %i is never exceeded', async (limit) => {
    const server = await startServer(recursive);
    const run = await rlm(['ask', task, '.', '--json', '--max-calls', String(limit)], {
      cwd: bigFolder(),
      env: server.env,
    });
    expect(server.requests.length).toBeLessThanOrEqual(limit);
    const result = resultOf(run);
    expect(result.usage.calls).toBe(server.requests.length);
    // One call can only answer, two can also criticise, three can also plan. Splitting needs more.
    expect([run.code, result.status]).toEqual(limit === 1 ? [6, 'partial'] : [0, 'answered']);
    expect(result.answer).toContain('C-1187');
    const hint = expect.stringContaining('--max-calls 2');
    if (limit === 1) expect(result.error).toMatchObject({ code: 'limit-calls', hint });
    const told = [...result.warnings, result.plan!.reason].join();
    if (limit > 2) expect(told).toContain('too few calls are left');
  });

  it('a limit that is reached among the parts leaves a partial answer with the other parts', async () => {
    const keyQuestions = ['one', 'two', 'three', 'four', 'five'].map((name) => ({
      question: `What is ${name}?`,
      needs: [],
    }));
    const server = await startServer({ ...recursive, planner: { ...recursive.planner, keyQuestions } });
    const run = await rlm(['ask', task, '.', '--json', '--max-calls', '7'], { cwd: bigFolder(), env: server.env });
    const result = resultOf(run);
    expect(server.requests).toHaveLength(7);
    expect([run.code, result.status]).toEqual([6, 'partial']);
    const hint = expect.stringContaining('--max-calls 14');
    expect(result.error).toMatchObject({ code: 'limit-calls', hint });
    const statuses = result.recursionTree!.children.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(4).fill('answered'), 'unanswered']);
  });

  it('--timeout ends a run with a slow server, with its findings', async () => {
    const slow = {
      ...recursive,
      answer: (call: ChatCall) => (questionOf(call).startsWith('Which') ? answer('C-1187 [P1].') : faults.stall()),
    };
    const { env } = await startServer(slow);
    const within = (seconds: string) =>
      rlm(['ask', task, '.', '--json', '--timeout', seconds, '--max-depth', '1'], { cwd: bigFolder(), env });
    let run = await within('2');
    // A slow machine may not get the first answer within this time.
    for (const seconds of ['8', '30']) if (!resultOf(run).answer) run = await within(seconds);
    expect(run.code).toBe(6);
    const result = resultOf(run);
    expect(result).toMatchObject({
      status: 'partial',
      error: { code: 'limit-time', hint: expect.stringContaining('--timeout') },
    });
    expect(result.answer).toMatch(/C-1187/);
  }, 90_000);

  it('--max-depth 0 does not split', async () => {
    const server = await startServer(recursive);
    const args = ['ask', task, '.', '--json', '--max-depth', '0', '--strategy', 'decompose'];
    const { recursionTree } = resultOf(await rlm(args, { cwd: bigFolder(), env: server.env }));
    expect(recursionTree).toMatchObject({ strategy: 'direct', children: [] });
  });

  it('--concurrency is the highest number of concurrent calls', async () => {
    const parts = ['One pool?', 'Two orders?', 'Three deploys?', 'Four checkouts?', 'Five services?'];
    const bothWait = createGate(2);
    const answerTogether = async (call: ChatCall) => {
      await bothWait();
      return recursive.answer(call);
    };
    const replies = { ...recursive, answer: answerTogether, planner: plan('decompose', parts) };
    const server = await startServer(replies, { latencyMs: 30 });
    await rlm(['ask', task, '.', '--max-depth', '1', '--concurrency', '2'], { cwd: bigFolder(), env: server.env });
    expect(server.maxInFlight).toBe(2);
  });

  it('many concurrent calls lead to no warning of Node', async () => {
    const parts = ['one', 'two', 'three', 'four', 'five'].map((part) => `What of pool ${part}?`);
    const isFirst = (call: ChatCall) => parts.includes(questionOf(call));
    const allWait = createGate(25);
    const wide = {
      ...recursive,
      answer: async (call: ChatCall) => {
        await allWait();
        return recursive.answer(call);
      },
      planner: plan('decompose', parts),
      assess: (call: ChatCall) => ({ verdict: isFirst(call) ? 'COMPLEX' : 'SIMPLE', reason: '' }),
      decompose: (call: ChatCall) => ({
        subQuestions: ['who', 'when', 'where', 'how', 'why'].map((word) => ({
          question: `${word}: ${questionOf(call)}`,
          needs: [],
        })),
      }),
    };
    const server = await startServer(wide);
    const run = await rlm(['ask', task, '.', '--concurrency', '64', '--max-calls', '200'], {
      cwd: bigFolder(),
      env: server.env,
    });
    expect(run.code).toBe(0);
    expect(server.maxInFlight).toBe(25);
    expect(run.stderr.split('\n').filter((line) => !/^(rlm: | {5}|$)/.test(line))).toEqual([]);
  });

  it('a question that its ancestors asked is not split again', async () => {
    const same = {
      ...recursive,
      assess: { verdict: 'COMPLEX', reason: 'always' },
      decompose: {
        subQuestions: ['the pool broke Which change?', 'Which changes broke the pool'].map((question) => ({
          question,
          needs: [],
        })),
      },
    };
    const { env } = await startServer(same);
    const result = resultOf(await rlm(['ask', task, '.', '--json', '--max-depth', '5'], { cwd: bigFolder(), env }));
    expect(result.status).toBe('answered');
    const first = result.recursionTree!.children[0]!;
    expect(first.children.map(({ strategy, strategyReason }) => [strategy, strategyReason])).toEqual([
      ['direct', 'a question above asked the same'],
      ['direct', 'a question above asked the same'],
    ]);
  });
});
