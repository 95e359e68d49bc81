import { describe, expect, it } from 'vitest';
import { askScripted, part, plan, variables } from '../support/scripted-run.ts';

const question = 'What limited the pool, and who changed the limit?';
const filler = 'Nothing else happened on that day, and nobody was called.\n\n'.repeat(9_000);
const documents = [
  { name: 'pool.md', text: `The pool was limited to 20 by release 4.2.\n\n${filler}` },
  { name: 'people.md', text: `Mara Lind changed the limit of the pool in release 4.2.\n\n${filler}` },
];
const first = 'The pool was limited to 20 by release 4.2 [P1].';
const gap = 'Who changed the limit of the pool?';
const critic = { confidenceScore: 50, verdicts: [], gaps: [gap], conflicts: [], reasoning: '' };
const settings = {
  strategy: 'direct',
  stages: { critic: 'always', planner: 'never' },
} as const;

/** Asks a question whose second answer is given. */
const asked = (
  second: string,
  changes: object = {},
  later = `${first} Mara Lind changed the limit of the pool in release 4.2 [P2].`,
) =>
  askScripted(
    {
      answer: ({ input }) => {
        const { question: one, passages } = input.variables as ReturnType<typeof variables<'answer'>>;
        const id = passages.find(({ source }) => source === 'people.md')?.id ?? 'P1';
        return one === question ? first : second.replace('P2', id);
      },
      critic,
      compose: (request) =>
        later.replace('P2', /\[(P\d+)\]/.exec(variables(request, 'compose').parts[1]!.answer!)![1]!),
    },
    { documents, settings: { ...settings, ...changes } },
    question,
  );

describe('one more try at what an answer leaves open', () => {
  it('is kept where its evidence is better, and the tree has both', async () => {
    const { result, of, events } = await asked('Mara Lind changed the limit of the pool in release 4.2 [P2].');
    expect(result.answer).toContain('Mara Lind');
    expect(result.ladder.map(({ step, isKept }) => [step, isKept])).toEqual([
      ['answer', false],
      ['refine', true],
    ]);
    expect(result.ladder[1]!.reason).toBe(`open: ${gap}`);
    expect(result.recursionTree!.children).toMatchObject([
      { path: '0.1', question: gap, depth: 1, strategy: 'direct' },
    ]);
    expect(of('compose')[0]!.parts.map(({ answer }) => answer)).toEqual([first, expect.stringContaining('Mara Lind')]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'ladder.climbed', step: 'refine' }));
  });

  it('is not kept where its evidence is no better, or nothing was found', async () => {
    const worse = await asked(
      'Mara Lind changed it [P2].',
      {},
      `${first} The moon is made of green cheese by law [P2].`,
    );
    expect(worse.result.answer).toBe('The pool was limited to 20 by release 4.2 [1].');
    expect(worse.result.ladder.at(-1)).toMatchObject({ isKept: false, doubt: 'its evidence is no better' });
    expect(worse.result.recursionTree!.children).toHaveLength(1);
    const nothing = await asked('The passages do not say who it was.');
    expect(nothing.result.ladder.at(-1)).toMatchObject({ isKept: false, doubt: 'nothing was found for it' });
    expect(nothing.calls.compose).toBeUndefined();
  });

  it.each([
    ['it is turned off', { refine: 0 }],
    ['the budget does not allow it', { budget: { maxCalls: 3 } }],
    ['there is no depth', { budget: { maxDepth: 0 } }],
  ])('is not made where %s', async (_, changes) => {
    const { result } = await asked('Mara Lind [P2].', changes);
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer']);
  });

  it('is not made where the text was read whole', async () => {
    const { result } = await askScripted({ answer: first, critic }, { settings }, question);
    expect(result.ladder.some(({ step }) => step === 'refine')).toBe(false);
  });

  it('looks for parts that were not answered', async () => {
    const keyQuestions = [part('What limited the pool?'), part('Who reviewed release 4.2?')];
    const script = {
      planner: plan({ approach: 'decompose', keyQuestions }),
      answer: [first, 'The passages do not say.', 'The passages do not say.'],
      compose: { finalAnswer: first, assumptions: [] },
    };
    const { result } = await askScripted(script, { documents, settings: { strategy: 'decompose' } }, question);
    expect(result.ladder.at(-1)).toMatchObject({ step: 'refine', reason: 'open: Who reviewed release 4.2?' });
  });
});
