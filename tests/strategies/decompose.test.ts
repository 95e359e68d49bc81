import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import { createGate } from '../support/gate.ts';
import {
  askScripted,
  decomposing,
  failing as failingCall,
  part,
  plan,
  splitInto,
  variables,
} from '../support/scripted-run.ts';

const complex = { verdict: 'COMPLEX', reason: 'hard' };
const simple = { verdict: 'SIMPLE', reason: 'easy' };

/** Assesses questions only when this many wait. */
function together(count: number) {
  const allWait = createGate(count);
  return () => allWait().then(() => simple);
}

describe('decompose', () => {
  it('uses the key questions of the plan for the root, without asking again', async () => {
    const { result, prompts, of } = await askScripted(splitInto(part('Who?'), part('What broke?')), decomposing);
    expect(prompts).not.toContain('decompose');
    expect([...prompts].sort()).toEqual(['answer', 'answer', 'assess', 'assess', 'compose', 'critic', 'planner']);
    expect(of('compose')[0]!.parts).toEqual([
      { question: 'Who?', answer: 'About Who?' },
      { question: 'What broke?', answer: 'About What broke?' },
    ]);
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'All of it.',
      usage: { calls: 7, subCalls: 4 },
      recursionTree: {
        strategy: 'decompose',
        children: [
          { path: '0.1', depth: 1, calls: 2, assessment: simple, status: 'answered' },
          { path: '0.2', depth: 1, calls: 2 },
        ],
      },
    });
  });

  it('asks for parts if the plan has none', async () => {
    const { prompts } = await askScripted(
      { decompose: { subQuestions: [part('Pool?'), part('Release?')] } },
      decomposing,
    );
    expect(prompts.filter((prompt) => prompt === 'decompose')).toHaveLength(1);
    expect(prompts.filter((prompt) => prompt === 'answer')).toHaveLength(2);
  });

  it('asks for parts if the plan has only one', async () => {
    const script = { ...splitInto(part('Why?')), decompose: { subQuestions: [part('Pool?'), part('Release?')] } };
    const { prompts, result } = await askScripted(script, decomposing);
    expect(prompts.filter((prompt) => prompt === 'decompose')).toHaveLength(1);
    expect(result.recursionTree!.children.map(({ question }) => question)).toEqual(['Pool?', 'Release?']);
    expect(result.warnings).toEqual([]);
  });

  it.each([
    ['there is but one part', { subQuestions: [part('Why?')] }, 'it has no parts that can be asked separately'],
    ['splitting takes too long', failingCall('call-timeout'), 'no reply'],
    ['the prompt for splitting does not fit', failingCall('prompt-too-long'), 'no reply'],
  ])('answers directly if %s, and says so', async (_, decompose, why) => {
    const { prompts, result } = await askScripted({ decompose }, decomposing);
    expect(prompts).toEqual(['planner', 'decompose', 'answer', 'critic']);
    expect(result).toMatchObject({ status: 'answered', error: null });
    expect(result.recursionTree).toMatchObject({
      strategy: 'direct',
      strategyReason: `it could not be split: ${why}`,
      children: [],
    });
    expect(result).toMatchObject({
      warningCodes: ['answered-directly'],
      warnings: [expect.stringMatching(new RegExp(`^"Why did it fail\\?" .*: ${why}$`))],
    });
  });

  it('fails with the provider', async () => {
    const { result } = await askScripted({ decompose: failingCall('request-refused') }, decomposing);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'request-refused' } });
  });

  it('asks no part that repeats the question, and none twice', async () => {
    const parts = [
      part('Which release?'),
      part('WHY did it fail'),
      part('which release'),
      part('Which pool?', 2, 3),
      part('Who then?', 4),
    ];
    const { result, of } = await askScripted({ decompose: { subQuestions: parts } }, decomposing);
    const asked = result.recursionTree!.children.map(({ question }) => question);
    expect(asked).toEqual(['Which release?', 'Which pool?', 'Who then?']);
    const known = of('answer').map(({ question, known }) => [question, known.map((one) => one.question)]);
    expect(Object.fromEntries(known)).toEqual({
      'Which release?': [],
      'Which pool?': ['Which release?'],
      'Who then?': ['Which pool?'],
    });
  });

  it('answers directly if each part repeats the question', async () => {
    const parts = ['Why did it fail', 'why did it fail?', 'Why did IT fail!'].map((question) => part(question));
    const { prompts } = await askScripted({ decompose: { subQuestions: parts } }, decomposing);
    expect(prompts).toEqual(['planner', 'decompose', 'answer', 'critic']);
  });

  it('asks at most five parts, and names the omitted ones', async () => {
    const parts = ['pool', 'release', 'clock', 'disk', 'memory', 'network'].map((word) => part(`About ${word}?`));
    const { result } = await askScripted(splitInto(...parts), decomposing);
    expect(result.recursionTree!.children).toHaveLength(5);
    expect(result).toMatchObject({
      warningCodes: ['left-out'],
      warnings: [expect.stringContaining('"About network?"')],
    });
  });

  it('runs independent parts concurrently, up to the limit', async () => {
    const parts = ['pool', 'release', 'clock', 'disk'].map((word) => part(`About ${word}?`));
    expect((await askScripted({ ...splitInto(...parts), assess: together(4) }, decomposing)).atOnce).toBe(4);
    const settings = { ...decomposing.settings, budget: { concurrency: 2 } };
    expect((await askScripted({ ...splitInto(...parts), assess: together(2) }, { settings })).atOnce).toBe(2);
  });

  it('gives dependent parts the answers they need, and no others', async () => {
    const parts = [part('Which pool?'), part('Which release?'), part('Who wrote it?', 2), part('Why then?', 1, 3)];
    const script = { ...splitInto(...parts), assess: together(2) };
    const { of, atOnce, requests } = await askScripted(script, decomposing);
    const known = Object.fromEntries(
      of('answer').map((asked) => [asked.question, asked.known.map((one) => one.question)]),
    );
    expect(known).toEqual({
      'Which pool?': [],
      'Which release?': [],
      'Who wrote it?': ['Which release?'],
      'Why then?': ['Which pool?', 'Who wrote it?'],
    });
    expect(of('answer').at(-1)!.known[0]!.answer).toBe('About Which pool?');
    expect(atOnce).toBe(2);
    const last = requests.findLast(({ input }) => input.prompt === 'assess')!;
    expect(variables(last, 'assess').question).toBe('Why then?');
  });

  it('carries the citations of the parts that the composed answer marks', async () => {
    const { result } = await askScripted(
      {
        ...splitInto(part('Pool?'), part('Release?')),
        answer: ({ input }) =>
          'question' in input.variables && input.variables.question === 'Pool?'
            ? { answer: '20 [P1]', citations: [{ passage: 'P1', quote: 'limited to 20' }], assumptions: ['a'] }
            : { answer: '4.2 [P2]', citations: [], assumptions: ['b', 'a'] },
        compose: { finalAnswer: 'Release 4.2 [P2] and limited [P1] [P7].', assumptions: ['c'] },
      },
      decomposing,
    );
    expect(result.answer).toBe('Release 4.2 [1] and limited [2].');
    expect(result.citations).toMatchObject([
      { source: 'b.md', quote: 'Release 4.2 went out at 02:00.' },
      { source: 'a.md', quote: 'limited to 20' },
    ]);
    expect(result.recursionTree!.assumptions).toEqual(['a', 'b', 'c']);
    expect(result).toMatchObject({ warningCodes: ['evidence'], warnings: [expect.stringContaining('P7')] });
  });
});

describe('when parts fail', () => {
  const failing = (wanted: (question: string) => boolean) => ({
    answer: (request: Parameters<typeof variables>[0]) => {
      const { question } = variables(request, 'answer');
      if (wanted(question)) throw new RlmError('request-refused', 'no');
      return { answer: `About ${question}`, citations: [], assumptions: [] };
    },
  });
  const parts = splitInto(part('Pool?'), part('Release?'), part('Clock?', 1));

  it('one: the answer is partial, with the error, and the others are kept', async () => {
    const { result, of } = await askScripted({ ...parts, ...failing((question) => question === 'Pool?') }, decomposing);
    expect(result).toMatchObject({ status: 'partial', answer: 'All of it.', error: { code: 'request-refused' } });
    expect(of('compose')[0]!.parts.map(({ answer }) => answer)).toEqual([null, 'About Release?', 'About Clock?']);
    expect(of('critic')[0]!.unanswered).toEqual(['Pool?']);
    expect(result.recursionTree!.children.map(({ status, error }) => [status, error?.code])).toEqual([
      ['unanswered', 'request-refused'],
      ['answered', undefined],
      ['answered', undefined],
    ]);
  });

  it('all: the run has failed, without an answer, and no model is asked to compose', async () => {
    const { result, prompts } = await askScripted({ ...parts, ...failing(() => true) }, decomposing);
    expect(result).toMatchObject({
      status: 'failed',
      answer: null,
      confidence: null,
      error: { code: 'request-refused' },
    });
    expect(prompts).not.toContain('compose');
    expect(prompts).not.toContain('critic');
  });

  it('composing: the parts are listed', async () => {
    const compose = new RlmError('request-refused', 'no');
    const { result } = await askScripted({ ...parts, compose: () => compose }, decomposing);
    expect(result).toMatchObject({ status: 'partial', error: { code: 'request-refused' } });
    expect(result.answer).toBe('Pool?\nAbout Pool?\n\nRelease?\nAbout Release?\n\nClock?\nAbout Clock?');
  });
});

describe('the depth of the tree', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
  const deep = {
    planner: plan({ approach: 'decompose', keyQuestions: [part('alpha one?'), part('beta one?')] }),
    assess: complex,
    decompose: (_: unknown, index: number) => ({
      subQuestions: [part(`${words[index % 8]} left ${index}?`), part(`${words[index % 8]} right ${index}?`)],
    }),
  };

  it.each([
    [0, 1],
    [1, 3],
    [2, 7],
    [3, 15],
  ])('is at most %i: %i nodes', async (maxDepth, nodes) => {
    const settings = { strategy: 'decompose', budget: { maxDepth, maxCalls: 200 } } as const;
    const { events, result } = await askScripted(deep, { settings });
    const started = events.filter((event) => event.type === 'node.started');
    expect(started).toHaveLength(nodes);
    expect(Math.max(...started.map(({ depth }) => depth))).toBe(maxDepth);
    expect(result.status).toBe('answered');
  });

  it('is not reached by assessing: at the limit a question is answered at once', async () => {
    const settings = { strategy: 'decompose', budget: { maxDepth: 1 } } as const;
    const { prompts, result } = await askScripted(deep, { settings });
    expect(prompts).not.toContain('assess');
    expect(result.recursionTree!.children[0]).toMatchObject({
      strategy: 'direct',
      strategyReason: 'the depth limit is reached',
      assessment: null,
    });
  });

  it.each([
    ['in the same words', 'Why did the payment service fail?'],
    ['in another order', 'The service for payment: why did that fail?'],
    ['with other small words', 'why does a payment service fail'],
  ])('ends at a question that was asked above, %s', async (_, question) => {
    const { result } = await askScripted(
      { ...splitInto(part(question), part('Which release?')), assess: complex },
      decomposing,
      'Why did the payment service fail?',
    );
    expect(result.recursionTree!.children[0]).toMatchObject({
      strategy: 'direct',
      strategyReason: 'a question above asked the same',
      calls: 1,
    });
  });

  it('continues for a question that only shares its small words', async () => {
    const { result } = await askScripted(
      splitInto(part('Who was it?'), part('Which release?')),
      decomposing,
      'What is this?',
    );
    expect(result.recursionTree!.children[0]!.strategyReason).toBe('easy');
  });
});
