import { describe, expect, it } from 'vitest';
import { RlmError } from '../../src/index.ts';
import type { Variables } from '../../src/prompts/index.ts';
import { askRouted, namedProvider } from '../support/routed-run.ts';
import { askScripted, part, short, splitInto, variables } from '../support/scripted-run.ts';

describe('the critic', () => {
  it('says what it thinks, which is not the confidence', async () => {
    const { result } = await askScripted({
      critic: { confidenceScore: '8.5/10', verdicts: [], gaps: ['when'], conflicts: 'none', reasoning: 'fair' },
    });
    expect(result.critique).toEqual({ score: 85, verdicts: [], gaps: ['when'], conflicts: [], reasoning: 'fair' });
    expect(result.confidence).toBeNull();
  });

  const cited = { answer: 'It was release 4.2 [P2].', citations: [], assumptions: [] };

  it('sees the passages of the answer, which its server has read', async () => {
    expect((await askScripted({ answer: cited })).of('critic')[0]).toMatchObject({
      answer: 'It was release 4.2 [P2].',
      passages: [{ id: 'P1' }, { id: 'P2' }],
      unanswered: [],
    });
  });

  it('sees the passages that are cited where another model answered', async () => {
    const spare = namedProvider('spare', {});
    const critic = { critic: 'spare/m' };
    const main = namedProvider('main', { answer: cited });
    await askRouted([main, spare], { models: critic }, { documents: short });
    const { variables: asked } = spare.requests.find(({ input }) => input.prompt === 'critic')!.input;
    expect(asked).toMatchObject({ passages: [{ id: 'P2' }] });
  });

  it('sees the best that were found where nothing is cited and another model answered', async () => {
    const spare = namedProvider('spare', {});
    await askRouted([namedProvider('main', {}), spare], { models: { critic: 'spare/m' } }, { documents: short });
    const { variables: asked } = spare.requests.find(({ input }) => input.prompt === 'critic')!.input;
    expect(asked).toMatchObject({ passages: [{ id: 'P1' }, { id: 'P2' }] });
  });

  it('sees as many cited passages as fit, of every part, and the number of those that do not', async () => {
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
    const { result, requests, of } = await askScripted({ ...parts, answer, compose }, { documents });
    const [{ passages, leftOut }] = of('critic') as [Variables<'critic'>];
    expect(new Set(passages.map(({ source }) => source)).size).toBe(5);
    expect(passages.length + leftOut).toBe(result.citations.length);
    expect(leftOut).toBeGreaterThan(10);
    expect(requests.at(-1)!.messages.at(-1)!.content).toContain(`(${leftOut} more passages`);
    expect(result.critique).toMatchObject({ score: 70 });
    expect(result.warnings).toContainEqual(expect.stringContaining(`the critic saw ${passages.length} of `));
  });

  it('sees no number of omitted passages when there are none', async () => {
    const { requests, result } = await askScripted({});
    expect(requests.at(-1)!.messages.at(-1)!.content).not.toContain('more passages');
    expect(result.warnings).toEqual([]);
  });

  it.each([
    ['fails', () => new RlmError('provider-failed', 'gone'), 3],
    ['talks rubbish', 'Looks good to me!', 4],
    ['gives an impossible score', { confidenceScore: 150 }, 4],
  ])('is done without when it %s: the answer is kept, and that is said', async (_, critic, calls) => {
    const { result } = await askScripted({ critic });
    expect(result).toMatchObject({
      status: 'answered',
      answer: 'About Why did it fail?',
      critique: null,
      error: null,
      usage: { calls },
    });
    expect(result.warnings).toEqual([expect.stringContaining('the answer was not criticised: ')]);
  });
});

describe('the critic is asked', () => {
  const askWith = async (weights: number | null, critic: 'auto' | 'always' | 'never') => {
    const { asked, result } = await askRouted([namedProvider('one', {}, { weights })], { stages: { critic } });
    return { isAsked: asked['one']!.includes('critic'), result };
  };

  it.each([
    ['auto', 14e9, true],
    ['auto', null, true],
    ['auto', 1.5e9, false],
    ['always', 1.5e9, true],
    ['never', 14e9, false],
  ] as const)('where it is %s, of a model of %s weights: %s', async (critic, weights, isAsked) => {
    const asked = await askWith(weights, critic);
    expect(asked.isAsked).toBe(isAsked);
    expect(asked.result).toMatchObject({ status: 'answered', warnings: [] });
    if (!isAsked) expect(asked.result.critique).toBeNull();
  });

  it('not of what code has counted', async () => {
    const documents = [{ name: 'app.log', text: '2026-01-01 10:00:00 ERROR no\n'.repeat(3) }];
    const settings = { stages: { planner: 'auto', critic: 'auto' } } as const;
    const { result, requests } = await askScripted({}, { documents, settings }, 'How many lines have "ERROR"?');
    expect(result.answer).toContain('3 lines counted');
    expect(requests).toEqual([]);
  });
});
