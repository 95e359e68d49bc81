/** Tests the treatment of models of a few billion weights on the user's machine, with the default settings. */
import { describe, expect, it } from 'vitest';
import { type ChatCall, faults, promptOf } from '../servers/ollama-server.ts';
import { createGate } from '../support/gate.ts';
import { warned } from '../support/warned.ts';
import { answer, goodText, plan, startServer } from './replies.ts';
import { createFolder, resultOf, rlm } from './run-rlm.ts';

const small = { name: 'qwen2.5-coder:1.5b', parameterSize: '1.5B', size: 1e9 };
const question = 'How large was the pool?';

type Options = NonNullable<Parameters<typeof startServer>[1]>;

/** Asks a model of the server, as a user does. */
async function askOf(
  handlers: Parameters<typeof startServer>[0],
  files: Readonly<Record<string, string>>,
  {
    model = 'qwen2.5-coder:14b',
    args = [],
    env: own = {},
    ...options
  }: Options & {
    model?: string;
    args?: readonly string[];
    env?: Readonly<Record<string, string>>;
  } = {},
) {
  const server = await startServer(handlers, options);
  const env = { OLLAMA_HOST: server.url, RLM_MODEL: model, RLM_PROVIDER: 'ollama', ...own };
  const run = await rlm(['ask', question, '.', '--json', ...args], { cwd: createFolder(files), env });
  const prompts = server.requests.map(promptOf);
  return { run, result: resultOf(run), server, prompts };
}

/** Returns the text of a request, in the order in which a server reads it. */
const promptText = ({ messages }: ChatCall): string => messages.map(({ role, content }) => `${role} ${content}`).join();

/** Counts tokens like Qwen's tokenizer for logs: one per digit, and one per 1.9 bytes in total. */
const digitsApart = (text: string): number => {
  const digits = text.replace(/\D/g, '').length;
  return digits + (Buffer.byteLength(text) - digits) / 3.1;
};

const logLine = (at: number) =>
  `2026-03-17T13:${String(at % 60).padStart(2, '0')}:07.${100 + (at % 900)}Z INFO checkout-${at % 7} pool: in_use=${at} idle=${at * 3} max=40 waiting=0 p95_ms=${at * 7}\n`;
const log = `${Array.from({ length: 330 }, (_, at) => logLine(at)).join('')}The pool was lowered from 40 to 4 connections.\n`;

/** These run first, because they wait, and the others can run meanwhile. */
describe.concurrent('time on a slow machine', () => {
  const sized = 'It was a quiet day.\nThe pool was large: it was lowered from 40 to 4 connections.\nOrders failed.\n';
  const reply = JSON.stringify(answer('The pool was lowered to 4 connections [P1].', 'P1', 'lowered from 40 to 4'));
  const one = { models: [small], model: small.name };

  const parts = ['How large was the pool before?', 'How large was the pool then?', 'What failed?', 'When was it?'];
  const split = {
    decompose: { subQuestions: parts.map((part) => ({ question: part, needs: [] })) },
    answer: () => faults.drip(reply, 150),
  };
  const splitting = { slots: 1, args: ['--strategy', 'decompose', '--max-depth', '1', '--call-timeout', '2'] };

  it('in the queue of a server with one slot is not silence', async () => {
    const args = [...splitting.args, '--concurrency', '4'];
    const { result, run } = await askOf(split, { 'notes.md': goodText }, { ...splitting, args });
    expect(run.code, run.stderr).toBe(0);
    expect(run.ms).toBeGreaterThan(4_000);
    expect(result.recursionTree!.children.map(({ status }) => status)).toEqual(parts.map(() => 'answered'));
    expect(result.usage).toMatchObject({ failedCalls: 0, retries: 0 });
  });

  it('is not spent in that queue: a server that queues calls gets one at once, and one to discover that', async () => {
    const { result, run, server } = await askOf(split, { 'notes.md': goodText }, splitting);
    expect(run.code, run.stderr).toBe(0);
    expect(server.maxInFlight).toBeLessThanOrEqual(2);
    expect(result.usage).toMatchObject({ failedCalls: 0 });
  });

  it('does not limit a reply that keeps coming', async () => {
    const { result, run } = await askOf(
      { answer: () => faults.drip(reply, 400) },
      { 'notes.md': goodText },
      { ...one, args: ['--call-timeout', '2'] },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(run.ms).toBeGreaterThan(2_000);
    expect(result).toMatchObject({ status: 'answered', warnings: [], usage: { failedCalls: 0, retries: 0 } });
  });

  it('ends a silent call, and the received part of the answer is used with a warning', async () => {
    const cut = reply.slice(0, reply.indexOf('"assumptions"'));
    const { result, run, server } = await askOf(
      { answer: () => faults.stallMidStream(cut) },
      { 'notes.md': goodText },
      { ...one, args: ['--call-timeout', '2'] },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(result.answer).toBe('The pool was lowered to 4 connections [1].');
    expect(result).toMatchObject({ warningCodes: ['reply-cut'], warnings: [expect.stringContaining('answer prompt')] });
    expect(server.requests).toHaveLength(2);
  });

  it('ends a silent call without a usable word, and the passages are quoted, with a warning', async () => {
    const { result, run } = await askOf(
      { answer: () => faults.stallMidStream('{"answer":"The poo') },
      { 'notes.md': sized },
      { ...one, args: ['--call-timeout', '2'] },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(result.answer).toContain('from 40 to 4 connections');
    expect(warned(result, 'reply-unusable')).toContain('(call-timeout)');
    expect(result.ladder.map(({ step, isKept }) => [step, isKept])).toEqual([
      ['answer', false],
      ['quote', true],
    ]);
  });

  it('is not spent on a reply that repeats itself', async () => {
    const loop = `The pool was lowered to 4 connections. ${'It failed then. '.repeat(3_000)}`;
    const { result, run } = await askOf({ answer: loop }, { 'notes.md': goodText }, one);
    expect(run.code, run.stderr).toBe(0);
    expect(result.answer).toMatch(/^The pool was lowered to 4 connections\. \[1\](?: It failed then\.)?$/);
    expect(result).toMatchObject({ warningCodes: ['reply-cut'], warnings: [expect.stringContaining('answer prompt')] });
    expect(result.usage.tokens.output).toBeLessThan(5_000);
  });

  it('is not lost if no reply can be used: the passages are quoted', async () => {
    const { result, run, prompts } = await askOf({ answer: '' }, { 'notes.md': sized }, one);
    expect(run.code, run.stderr).toBe(0);
    expect(prompts).toEqual(['answer', 'answer']);
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(result.answer).toContain('from 40 to 4 connections');
  });

  it('is saved if a server may process several calls: after the first reply a second one is sent concurrently', async () => {
    const gate = createGate(2);
    let asked = 0;
    const handlers = {
      ...split,
      answer: async () => (++asked <= 2 ? gate().then(() => faults.drip(reply, 50)) : reply),
    };
    const { result, run } = await askOf(handlers, { 'notes.md': goodText }, { args: splitting.args.slice(0, 4) });
    expect(run.code, run.stderr).toBe(0);
    expect(result.recursionTree!.children).toHaveLength(4);
  });
});

describe.concurrent('calls for a settled question', () => {
  it('are the answer and, if a number occurs nowhere, its critique; both begin with the same words up to and with the passages', async () => {
    const { result, prompts, server } = await askOf(
      { answer: 'The 35 zeppelins fly.' },
      { 'notes.md': goodText },
      { env: { RLM_REFINE: '0' } },
    );
    expect(prompts).toEqual(['answer', 'critic']);
    expect(result).toMatchObject({ status: 'answered', warnings: [], plan: { approach: 'direct', keyQuestions: [] } });
    const [first, second] = server.requests.map(promptText) as [string, string];
    const end = first.lastIndexOf('</passage>') + '</passage>'.length;
    expect(second.slice(0, end)).toBe(first.slice(0, end));
  });

  it.each(['direct', 'scan'])('include no planner with --strategy %s', async (strategy) => {
    const { prompts, result } = await askOf(
      { scan: { findings: [], more: 'no', asksFor: 'other' } },
      { 'notes.md': goodText },
      { args: ['--strategy', strategy] },
    );
    expect(prompts).not.toContain('planner');
    expect(result.plan).toMatchObject({ approach: strategy, reason: 'asked for by --strategy' });
  });

  it('are one for a small model and one for its word, even if the text does not fit', async () => {
    const filler = 'Nothing else happened on this day in the harbour.\n'.repeat(4_000);
    for (const text of [goodText, `${goodText}${filler}`]) {
      const { prompts, result } = await askOf({}, { 'notes.md': text }, { models: [small], model: small.name });
      expect(prompts).toEqual(['answer', 'answerable']);
      expect(result).toMatchObject({ status: 'answered', plan: { approach: 'direct' }, critique: null });
    }
  });
});

describe.concurrent('text with more tokens than its bytes suggest', () => {
  it('is a log whose digits are tokens: it is searched if it does not fit, and nothing is refused', async () => {
    const { result, server, run } = await askOf(
      { answer: answer('It was in use [P1].') },
      { 'pool.log': log },
      { countTokens: digitsApart, args: ['--strategy', 'direct'] },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(Buffer.byteLength(log)).toBeGreaterThan(30_000);
    expect(result).toMatchObject({ status: 'answered', warnings: [] });
    for (const call of server.requests) {
      const tokens = digitsApart(promptText(call));
      expect(tokens + Number(call.options['num_predict'])).toBeLessThanOrEqual(Number(call.options['num_ctx']));
    }
  });

  it('is refused as too long, then sent with a larger window, then with the passages that fit', async () => {
    const text = `${goodText}${'zxqv jkwp vbnq wrtx hjkl mnbv pqzx tygh\n'.repeat(900)}`;
    const everyByte = (content: string) => Buffer.byteLength(content) / 0.9;
    const { result, server, run } = await askOf({}, { 'notes.md': text }, { countTokens: everyByte });
    expect(run.code, run.stderr).toBe(0);
    expect(result).toMatchObject({ status: 'answered', error: null });
    const fits = server.requests.map((call) => everyByte(promptText(call)) <= Number(call.options['num_ctx']) + 20);
    expect(fits[0]).toBe(false);
    expect(fits).toContain(true);
    expect(Number(server.requests.at(-1)!.options['num_ctx'])).toBe(16_384);
  });
});

describe.concurrent('the strategies of a small model', () => {
  const filler = 'Nothing else happened on this day in the harbour.\n'.repeat(9_000);

  it('are reported by the doctor and used by auto: no exploration of a text that is large enough for it', async () => {
    const server = await startServer({}, { models: [small] });
    const env = { OLLAMA_HOST: server.url, RLM_MODEL: small.name };
    const { models } = JSON.parse((await rlm(['doctor', '--json'], { env })).stdout);
    expect(models[0].jobs).toEqual(['direct', 'scan']);
    const cwd = createFolder({ 'a.txt': filler, 'b.txt': goodText });
    const result = resultOf(await rlm(['ask', question, '.', '--json'], { cwd, env }));
    expect(result.plan).toMatchObject({ approach: 'direct', reason: expect.stringContaining('comes first') });
    expect(result.recursionTree).toMatchObject({ strategy: 'direct', status: 'answered', steps: [], children: [] });
  });

  it.each([
    ['talks instead of calling tools', 'I would look into the log.'],
    ['calls tools that do not exist', { thought: '', findings: [], next: '', actions: [{ tool: 'x', arguments: {} }] }],
  ])('an exploration that fails is answered directly from passages: a model that %s', async (_, reply) => {
    const { result, run, prompts } = await askOf(
      { explore: reply },
      { 'a.txt': filler, 'b.txt': goodText },
      { models: [{ ...small, capabilities: ['completion'] }], model: small.name, args: ['--strategy', 'explore'] },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(prompts.at(-1)).toBe('answer');
    expect(result.answer).toContain('lowered to 4 connections');
    expect(result.citations).toHaveLength(1);
    expect(warned(result, 'answered-directly')).toMatch(/exploration failed.*passages/);
  });
});

describe.concurrent('replies of small models', () => {
  it('are answers in prose: no form, no marks and no example that could be copied is requested', async () => {
    const { server } = await askOf({}, { 'notes.md': goodText }, { models: [small], model: small.name });
    const [{ format, messages }] = server.requests as [ChatCall];
    expect(format).toBeNull();
    const asked = messages[1]!.content.slice(messages[1]!.content.lastIndexOf('</passage>'));
    expect(asked).not.toMatch(/P\d|square brackets|JSON/);
  });

  const texts = {
    'a.md': 'The harbour was calm, and the gate stood open.\n',
    'b.md': 'The pool was lowered from “forty” to four – by the night shift.\n',
  };
  const cited = (passage: string, quote: string) => ({
    answer: answer(`To four [${passage}].`, passage, quote),
    critic: { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: '' },
  });

  it.each([
    ['stands in another given passage', 'P1', 'lowered from “forty” to four'],
    ['differs in case and quotation marks', 'P2', 'LOWERED FROM "FORTY" TO FOUR'],
    ['has other dashes, spaces and passage', 'P1', "lowered  from 'forty' to four - by the night shift"],
  ])('have a quote that %s: it becomes a checked citation', async (_, passage, quote) => {
    const { result } = await askOf(cited(passage, quote), texts, { models: [small], model: small.name });
    expect(result.citations).toEqual([
      expect.objectContaining({
        passage: 'P2',
        source: 'b.md',
        quote: expect.stringContaining('from “forty” to four'),
      }),
    ]);
    expect(result.answer).toBe('To four [1].');
  });
});

describe.concurrent('the plan of the planner', () => {
  it('uses a description of a folder in 400 tokens, however many files it has', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 310 }, (_, at) => [
        `src/part-${at}/module.ts`,
        `export const value${at} = ${at};\n`.repeat(20),
      ]),
    );
    const { server, prompts } = await askOf({ planner: plan('direct') }, files, { env: { RLM_PLANNER: 'always' } });
    expect(prompts[0]).toBe('planner');
    const list = /The documents:\n([\s\S]*?)\n\nPlan the work/.exec(server.requests[0]!.messages[1]!.content)![1]!;
    expect(Buffer.byteLength(list)).toBeLessThanOrEqual(1_200);
    expect(list).toContain('more documents');
  });
});
