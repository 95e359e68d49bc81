import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AskOptions,
  ask,
  createScriptedProvider,
  type DryRun,
  dryRun,
  type ModelRequest,
  RlmError,
} from '../../src/index.ts';
import type { PromptName } from '../../src/prompts/index.ts';
import { long, plan } from '../support/scripted-run.ts';
import { shaped } from '../support/shapes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const short = [{ name: 'a.md', text: 'The pool was limited to 20.\nIt ran out at 02:14.\n' }];
const question = 'Why did it fail?';
const away = { cwd: import.meta.dirname, env: { HOME: '/dev/null/nowhere' } };
const price = { 'scripted/scripted': { input: 3, output: 15 } };

/** Makes a dry run with a provider that must not be asked, and validates the result against its schema. */
async function tryOut(options: AskOptions = {}): Promise<DryRun> {
  const provider = createScriptedProvider([]);
  const found = await dryRun(question, { documents: short, ...away, provider, ...options });
  expect(provider.requests).toEqual([]);
  return shaped<DryRun>('dry-run', JSON.parse(JSON.stringify(found)));
}

describe('a dry run', () => {
  it('describes the inputs and the planned steps', async () => {
    expect(await tryOut()).toEqual({
      schemaVersion: 1,
      dryRun: true,
      task: question,
      provider: 'scripted',
      model: 'scripted',
      models: [
        {
          provider: 'scripted',
          model: 'scripted',
          digest: null,
          callsAtOnce: 8,
          windowTokens: 8_192,
          price: { input: 0, output: 0 },
        },
      ],
      documents: [{ name: 'a.md', bytes: 49, lines: 2 }],
      description: '- a.md: 2 lines, 49 bytes, Markdown',
      bytes: 49,
      tokens: 20,
      windowTokens: 8_192,
      fits: true,
      approach: 'direct',
      approachReason: 'the whole text fits one prompt',
      plannerMayChoose: [],
      mayClimbTo: [],
      fewestCalls: 1,
      pictures: null,
      reading: null,
      worstCase: { calls: 12, tokens: 12 * 8_192, usd: 0 },
      pricesOf: null,
      estimatedSeconds: null,
      timeout: 600,
      warnings: [],
    });
  });

  it.each<[string, AskOptions, Partial<DryRun>]>([
    [
      'a text that fits no window, and what may follow an answer from its passages',
      { documents: long },
      { fits: false, approach: 'direct', plannerMayChoose: [], mayClimbTo: ['decompose', 'scan', 'explore'] },
    ],
    [
      'a text that the planner is asked about',
      { documents: long, settings: { stages: { planner: 'always' } } },
      { approach: null, plannerMayChoose: ['direct', 'decompose', 'scan', 'explore'], mayClimbTo: [] },
    ],
    [
      'a text that is explored after failures, in a large window',
      { documents: long, settings: { failCount: 5 } },
      {
        approach: 'explore',
        approachReason: '5 attempts have failed before',
        plannerMayChoose: [],
        windowTokens: 32_768,
      },
    ],
    [
      'too few calls for a plan',
      { documents: long, settings: { budget: { maxCalls: 1 } } },
      { approach: 'direct', approachReason: 'too few calls are left for another way', plannerMayChoose: [] },
    ],
    ['no text', { documents: [] }, { fits: true, approach: 'direct', approachReason: 'there is no text', bytes: 0 }],
    ['a strategy that was asked for', { settings: { strategy: 'decompose' } }, { approach: 'decompose' }],
    ['a direct look at a long text', { documents: long, settings: { strategy: 'direct' } }, { approach: 'direct' }],
    ['a single call', { settings: { budget: { maxCalls: 1 } } }, { fewestCalls: 1 }],
    ['a cache, which may hold every reply', { settings: { cache: { enabled: true } } }, { fewestCalls: 0 }],
  ])('knows %s', async (_, options, expected) => {
    expect(await tryOut(options)).toMatchObject(expected);
  });

  it('takes a first look at a question that counts, whatever its words', async () => {
    const options = { documents: long, ...away, provider: createScriptedProvider([]) };
    const found = await dryRun('How many releases went out?', options);
    expect(found).toMatchObject({ approach: 'direct', fewestCalls: 1, reading: null });
  });

  it('knows the cost of reading all of the text', async () => {
    const found = await tryOut({ documents: long, settings: { strategy: 'scan' } });
    expect(found).toMatchObject({
      approach: 'scan',
      approachReason: 'asked for by --strategy',
      plannerMayChoose: [],
      mayClimbTo: [],
      worstCase: { calls: 50, tokens: 50 * 16_384 },
    });
    expect(found.reading!.pieces).toBeGreaterThan(1);
    expect(found.fewestCalls).toBeGreaterThan(found.reading!.pieces);
  });

  it.each<[string, AskOptions, Partial<DryRun['worstCase']>]>([
    ['--max-calls', { documents: long, settings: { budget: { maxCalls: 7 } } }, { calls: 7, tokens: 7 * 32_768 }],
    ['the calls that a direct answer can take', { settings: { budget: { maxCalls: 500 } } }, { calls: 12 }],
    ['--max-tokens', { settings: { budget: { maxTokens: 20_000 } } }, { tokens: 20_000 }],
    ['--max-cost', { settings: { prices: price, budget: { maxCost: 0.25 } } }, { usd: 0.25 }],
    [
      'the price of every call',
      { settings: { prices: price, budget: { maxCalls: 2 } } },
      { usd: (2 * (8_192 * 3 + 1_024 * 15)) / 1e6 },
    ],
  ])('has a worst case within %s', async (_, options, expected) => {
    expect((await tryOut(options)).worstCase).toMatchObject(expected);
  });

  it('does not count an unknown price as free', async () => {
    const provider = createScriptedProvider([]);
    const inspect = async (signal: AbortSignal) => ({ ...(await provider.inspect(signal)), spends: 'money' as const });
    const paid = { ...provider, inspect };
    expect((await tryOut({ provider: paid })).worstCase.usd).toBeNull();
    await expect(tryOut({ provider: paid, settings: { budget: { maxCost: 1 } } })).rejects.toMatchObject({
      code: 'config-invalid',
    });
    const listed = {
      ...paid,
      name: 'openai',
      inspect: async (s: AbortSignal) => ({ ...(await inspect(s)), model: 'gpt-4o' }),
    };
    const { worstCase, pricesOf } = await tryOut({ provider: listed });
    expect(worstCase.usd).toBeGreaterThan(0);
    expect(pricesOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it.each<[string, string, AskOptions]>([
    ['usage', ' ', {}],
    ['input-missing', question, { documents: [], paths: ['nowhere.md'] }],
    ['prompt-invalid', question, { settings: { prompts: '/dev/null/nowhere' } }],
    ['input-too-large', 'why '.repeat(20_000), {}],
    ['interrupted', question, { signal: AbortSignal.abort(new RlmError('interrupted', 'enough')) }],
  ])('fails like the run: %s', async (code, asked, options) => {
    const provider = createScriptedProvider([]);
    await expect(dryRun(asked, { documents: short, ...away, provider, ...options })).rejects.toMatchObject({ code });
  });
});

const good: Record<PromptName, string | object> = {
  planner: plan(),
  assess: { verdict: 'SIMPLE', reason: 'easy' },
  decompose: { subQuestions: [] },
  // The text does not contain the number, so the critic is asked.
  answer: { answer: 'It was 35.', citations: [], assumptions: [] },
  scan: { findings: [], more: 'no', asksFor: 'other' },
  compose: { finalAnswer: 'All of it.', assumptions: [] },
  critic: { confidenceScore: 70, verdicts: [], gaps: [], conflicts: [], reasoning: 'fair' },
  answerable: 'YES',
  hop: 'What was it?',
  explore: {
    thought: '',
    findings: [],
    next: '',
    actions: [{ tool: 'final_answer', arguments: { answer: 'It was 20.' } }],
  },
  conclude: { answer: 'It was 20.', citations: [], assumptions: [] },
  form: {},
  query: 'It was 20.',
  classify: '1 A',
  repl: 'FINAL(It was 20.)',
  transcribe: { reply: 'The pool had 35 connections.' },
};

type Turn = 'good' | 'bad' | 'long' | 'busy' | 'refused';

/** Creates replies that fail in these ways, turn by turn, each as long as allowed. */
function reply(turn: Turn, { input, maxOutputTokens }: ModelRequest): string | object {
  if (turn === 'busy') throw new RlmError('rate-limited', 'busy', { transient: true, retryAfterMs: 0 });
  if (turn === 'refused') throw new RlmError('request-refused', 'no');
  if (turn === 'long') return 'x'.repeat(maxOutputTokens * 3);
  return turn === 'bad' ? '' : good[input.prompt];
}

const turns = fc.array(fc.constantFrom<Turn>('good', 'bad', 'bad', 'long', 'busy', 'busy', 'refused'), {
  minLength: 1,
  maxLength: 20,
});

const budgets = fc.record({
  maxCalls: fc.integer({ min: 1, max: 30 }),
  maxTokens: fc.option(fc.integer({ min: 1, max: 200_000 })),
  maxCost: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
});

/** Runs a direct question to its end, successful or not, and compares its cost with the forecast. */
async function holdAgainst(script: readonly Turn[], options: AskOptions): Promise<number> {
  const { worstCase } = await dryRun(question, { ...options, provider: createScriptedProvider([]) });
  const provider = createScriptedProvider((request, index) => reply(script[index % script.length]!, request));
  const { usage } = await ask(question, { ...options, provider });
  expect(provider.requests.length).toBeLessThanOrEqual(worstCase.calls);
  expect(usage.tokens.input + usage.tokens.output).toBeLessThanOrEqual(worstCase.tokens);
  expect(usage.cost!).toBeLessThanOrEqual(worstCase.usd! + 1e-6);
  return provider.requests.length;
}

describe('the worst case of a direct question', () => {
  it('is never exceeded, whatever the model does', async () => {
    const size = fc.integer({ min: 1, max: 2_000 });
    await fc.assert(
      fc.asyncProperty(turns, budgets, size, async (script, budget, words) => {
        const documents = [{ name: 'a.md', text: 'The pool was limited. '.repeat(words) }];
        const settings = { strategy: 'direct' as const, prices: price, budget };
        await holdAgainst(script, { documents, ...away, settings });
      }),
      { numRuns: 60 },
    );
  });

  it('can be reached: every reply is repaired, and every request tried three times', async () => {
    const script: Turn[] = ['busy', 'busy', 'bad', 'busy', 'busy', 'good'];
    expect(await holdAgainst(script, { documents: short, ...away, settings: { prices: price } })).toBe(12);
  });

  it('holds for files too', async () => {
    const cwd = tempFolder({ 'a.md': 'The pool was limited to 20.\n' });
    const options = { cwd, env: { HOME: '/dev/null/nowhere' }, paths: ['a.md'], settings: { prices: price } };
    expect(await holdAgainst(['bad', 'long'], options)).toBeLessThanOrEqual(12);
  });
});
