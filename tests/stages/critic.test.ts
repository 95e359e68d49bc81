import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import type { Variables } from '../../src/prompts/index.ts';
import { askRouted, namedProvider } from '../support/routed-run.ts';
import { askScripted, failing, part, short, splitInto, variables } from '../support/scripted-run.ts';
import { warned } from '../support/warned.ts';

describe('the critic', () => {
  it('gives a score, which is not the confidence', async () => {
    const { result } = await askScripted({
      critic: { confidenceScore: '8.5/10', verdicts: [], gaps: ['when'], conflicts: 'none', reasoning: 'fair' },
    });
    expect(result.critique).toEqual({ score: 85, gaps: ['when'], uncertainties: [], reasoning: 'fair' });
    expect(result.confidence).not.toBe(85);
  });

  const two = 'The pool was lowered to 35 [P1]. Nobody knows why [P2].';
  const verdicts = [
    { claim: 1, verdict: 'contradicted', quote: 'limited to 20', wrong: 'it was 20' },
    { claim: 2, verdict: 'supported', quote: 'at 02:00', wrong: '' },
  ];

  it('judges all claims in one call, each with the passages that it cites', async () => {
    const critic = { confidenceScore: 20, verdicts, gaps: [], conflicts: [], reasoning: '' };
    const { result, of, calls } = await askScripted({ answer: two, critic });
    expect(calls.critic).toBe(1);
    expect(of('critic')[0]!.claims).toEqual(['The pool was lowered to 35. [P1]', 'Nobody knows why. [P2]']);
    expect(result.claims).toMatchObject([
      { verdict: 'contradicted', reason: 'it was 20', citations: [1] },
      { verdict: 'supported', reason: null, citations: [2] },
    ]);
    expect(result.claims[0]!.support).toBeLessThan(0.1);
    expect(result.claims[1]!.support).toBeGreaterThan(0.9);
    expect(result.critique!.uncertainties).toEqual(['The pool was lowered to 35.: it was 20']);
  });

  it('cannot overrule text that occurs word for word, nor judge a missing claim', async () => {
    const answer = 'The pool was limited to 20 [P1].';
    const wrong = [
      { claim: 1, verdict: 'unsupported', quote: null, wrong: 'no' },
      { claim: 7, verdict: 'contradicted', quote: null, wrong: 'no' },
    ];
    const critic = { confidenceScore: 20, verdicts: wrong, gaps: [], conflicts: [], reasoning: '' };
    const { result } = await askScripted({ answer, critic });
    expect(result.claims).toMatchObject([{ verdict: 'supported', support: 1, reason: null }]);
  });

  it.each([
    ['both quotes stand in the passages', 'Release 4.2 went out', 1],
    ['a quote stands nowhere', 'Release 5 went out', 0],
  ])('finds a contradiction if %s', async (_, quote, count) => {
    const conflicts = [{ passage: 'P1', quote: 'limited to 20', otherPassage: 'P2', otherQuote: quote }];
    const critic = { confidenceScore: 95, verdicts: [], gaps: [], conflicts, reasoning: '' };
    const { result } = await askScripted({ answer: 'The pool was limited to 20 [P1].', critic });
    expect(result.contradictions).toHaveLength(count);
    if (count === 1) expect(result.confidence).toBeLessThanOrEqual(50);
    else expect(result.confidence).toBeGreaterThan(50);
  });

  it('judges an answer without claims as a whole', async () => {
    const { of, result } = await askScripted({ answer: 'Which pool?' });
    expect(of('critic')[0]!.claims).toEqual(['Which pool?']);
    expect(result.claims).toEqual([]);
  });

  const cited = { answer: 'It was release 4.2 [P2].', citations: [], assumptions: [] };

  it('sees the passages of the answer, which its server has read', async () => {
    expect((await askScripted({ answer: cited })).of('critic')[0]).toMatchObject({
      answer: 'It was release 4.2 [P2].',
      passages: [{ id: 'P1' }, { id: 'P2' }],
      unanswered: [],
    });
  });

  it('sees the same passages if another model answered', async () => {
    const spare = namedProvider('spare', {});
    const critic = { critic: 'spare/m' };
    const main = namedProvider('main', { answer: cited });
    await askRouted([main, spare], { models: critic }, { documents: short });
    const { variables: asked } = spare.requests.find(({ input }) => input.prompt === 'critic')!.input;
    expect(asked).toMatchObject({ passages: [{ id: 'P1' }, { id: 'P2' }] });
  });

  it('sees the best passages if nothing is cited and another model answered', async () => {
    const spare = namedProvider('spare', {});
    await askRouted([namedProvider('main', {}), spare], { models: { critic: 'spare/m' } }, { documents: short });
    const { variables: asked } = spare.requests.find(({ input }) => input.prompt === 'critic')!.input;
    expect(asked).toMatchObject({ passages: [{ id: 'P1' }, { id: 'P2' }] });
  });

  it('sees as many cited passages as fit, of every part, and the number of the others', async () => {
    const documents = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((word) => ({
      name: `${word}.md`,
      text: `Nothing but ${word} is in here, over and over and over again.\n`.repeat(700),
    }));
    const answer = (request: Parameters<typeof variables>[0]) => {
      const ids = variables(request, 'answer').passages.map(({ id }) => id);
      return { answer: `So it is [${ids.join(', ')}].`, citations: [], assumptions: [] };
    };
    const compose = (request: Parameters<typeof variables>[0]) => ({
      finalAnswer: variables(request, 'compose')
        .parts.map((one) => one.answer)
        .join('\n'),
      assumptions: [],
    });
    const parts = splitInto(...documents.map(({ name }) => part(`What of ${name.slice(0, -3)}?`)));
    const { result, requests, of } = await askScripted(
      { ...parts, answer, compose },
      { documents, settings: { auto: { firstLookTokens: 8_000 } } },
    );
    const [{ passages, leftOut }] = of('critic') as [Variables<'critic'>];
    expect(new Set(passages.map(({ source }) => source)).size).toBe(5);
    expect(passages.length + leftOut).toBe(result.citations.length);
    expect(leftOut).toBeGreaterThan(10);
    expect(requests.at(-1)!.messages.at(-1)!.content).toContain(`(${leftOut} more passages`);
    expect(result.critique).toMatchObject({ score: 70 });
    expect(warned(result, 'not-judged')).toContain(` saw ${passages.length} of `);
  });

  it('sees no number of omitted passages if there are none', async () => {
    const { requests, result } = await askScripted({});
    expect(requests.at(-1)!.messages.at(-1)!.content).not.toContain('more passages');
    expect(result.warnings).toEqual([]);
  });

  it.each([
    ['fails', () => new RlmError('provider-failed', 'gone'), 3],
    ['talks rubbish', 'Looks good to me!', 4],
    ['gives an impossible score', { confidenceScore: 150 }, 4],
  ])('is left out if it %s: the answer is kept, and a warning says so', async (_, critic, calls) => {
    const { result } = await askScripted({ critic });
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'About Why did it fail?',
      critique: null,
      error: null,
      usage: { calls },
      warningCodes: ['not-judged'],
    });
  });
});

describe('the match of a quoted answer', () => {
  it.each([
    ['the critic is turned off', 'never', {}, 'stages.critic is never'],
    ['the critic fails', 'auto', { critic: failing('provider-failed') }, 'the critic gave no score'],
  ] as const)('is unknown if %s, with that reason', async (_, critic, script, reason) => {
    const model = namedProvider('one', { answer: 'The pool had a limit [P1].', ...script }, { quotes: true });
    const { result } = await askRouted([model], { stages: { critic } });
    expect(result).toMatchObject({ confidence: null, confidenceKind: 'match', confidenceReason: reason });
  });
});

describe('the critic is asked', () => {
  const good = 'The pool had a limit [P1].';
  const doubtful = 'The pool had a limit of 35 [P1].';
  const auto = { stages: { critic: 'auto' } } as const;

  it.each([
    ['by default, where the answer has a number that stands nowhere', auto, doubtful, 14e9, true],
    ['by default, of a model of unknown size, too', auto, doubtful, null, true],
    ['by default, where an identifier stands nowhere', auto, 'The pool poolMax had a limit [P1].', 14e9, true],
    ['by default, where a quotation stands nowhere', auto, 'It says "the pool was gone then" [P1].', 14e9, true],
    ['not by default where nothing exact is amiss', auto, good, 14e9, false],
    ['not by default of a small model', auto, doubtful, 1.5e9, false],
    ['where the number is wanted', { ...auto, minConfidence: 10 }, good, 14e9, true],
    ['where the claims are to be checked by a model', { ...auto, evidence: { check: 'model' } }, good, 1.5e9, true],
    ['not where no claim is to be checked', { ...auto, evidence: { check: 'off' } }, doubtful, 14e9, false],
    ['always where the setting says so', { stages: { critic: 'always' } }, good, 1.5e9, true],
    ['never where the setting says so', { stages: { critic: 'never' }, minConfidence: 10 }, doubtful, 14e9, false],
  ] as const)('%s', async (_, settings, answer, weights, isAsked) => {
    const model = namedProvider('one', { answer }, { weights });
    const { asked, result } = await askRouted([model], settings as Parameters<typeof askRouted>[1]);
    expect(asked['one']!.includes('critic')).toBe(isAsked);
    expect(result).toMatchObject({ status: 'answered', error: null });
    if (!isAsked) expect(result.critique).toBeNull();
  });

  it('about a number of a model, for which code computes no other', async () => {
    const documents = [{ name: 'app.log', text: 'ERROR no\n'.repeat(3) }];
    const settings = { stages: { planner: 'auto', critic: 'auto' } } as const;
    const { result, prompts } = await askScripted(
      { answer: 'There are 5 such lines [P1].' },
      { documents, settings },
      'How many lines have "ERROR"?',
    );
    expect(result.answer).toBe('There are 5 such lines [1].');
    expect(prompts).toEqual(['answer', 'critic']);
    expect(result.claims).toMatchObject([{ verdict: 'unchecked', reason: expect.stringMatching(/: 5$/) }]);
  });
});

describe('a computed answer', () => {
  it.each([
    ['an able', 14e9, (confidence: number) => confidence > 80],
    ['a small', 1.5e9, (confidence: number) => confidence <= 50],
  ])('of %s model that chose what to compute has the confidence of such a model', async (_, weights, holds) => {
    const repl = '```js\nconst rows = 3;\nFINAL("There are 3 orders. " + evidence(rows));\n```';
    const model = namedProvider('one', { repl }, { weights });
    const { result } = await askRouted([model], { strategy: 'repl', refine: 0, stages: { critic: 'auto' } });
    expect(result.citations).toMatchObject([{ source: expect.stringMatching(/^computed:/) }]);
    expect(holds(result.confidence!), String(result.confidence)).toBe(true);
  });
});
