import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../src/state.ts';
import { askScripted, finalAnswer, look, type Script } from '../support/scripted-run.ts';

const question = 'What limited the pool, and who changed the limit?';
const filler = 'Nothing else happened on that day, and nobody was called.\n\n'.repeat(9_000);
const documents = [
  { name: 'pool.md', text: `The pool was limited to 20 by release 4.2.\n\n${filler}` },
  { name: 'people.md', text: `Mara Lind changed the limit of the pool in release 4.2.\n\n${filler}` },
];
const gap = 'Who changed the limit of the pool?';
const words = 'The pool was limited to 20 by release 4.2';
const first = {
  answer: `${words} [P1].`,
  citations: [],
  assumptions: [],
  tells: 'part',
  missing: [gap],
  needsAll: 'no',
};
const settings = { strategy: 'direct', stages: { critic: 'always', planner: 'never' } } as const;

/** A step that finds the person, and an answer that cites the line. */
const found = [
  look(['grep', { words: 'Mara Lind changed' }]),
  finalAnswer('Mara Lind changed it.', { citations: [{ source: 'people.md', startLine: 1, endLine: 1 }] }),
];

/** Asks a question whose first look misses something, which tools then search for. */
const asked = (script: Script = {}, changes: object = {}) =>
  askScripted(
    { answer: first, explore: found, ...script },
    { documents, settings: { ...settings, ...changes } },
    question,
  );

describe('a further look for the questions that an answer names as missing', () => {
  it('uses tools, and adds its findings below the answer, which stays word for word', async () => {
    const { result, prompts, events } = await asked();
    expect(prompts).toEqual(['answer', 'explore', 'explore', 'critic']);
    const [above, below] = result.answer!.split('\n\n');
    expect(above).toBe(`${words} [1].`);
    expect(below).toMatch(/^Mara Lind changed it/);
    expect(result.ladder.map(({ step, isKept, doubt }) => [step, isKept, doubt])).toEqual([
      ['answer', true, `missing: ${gap}`],
      ['refine', true, null],
    ]);
    expect(result.ladder[1]!.reason).toBe(`missing: ${gap}`);
    expect(result.recursionTree).toMatchObject({
      tells: 'all',
      missing: [],
      children: [{ path: '0.1', question: gap, depth: 1, strategy: 'explore' }],
    });
    expect(result.citations.map(({ source }) => source)).toEqual(['pool.md', 'people.md']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'ladder.climbed', step: 'refine' }));
  });

  it('knows the answer so far', async () => {
    const { of } = await asked();
    expect(of('explore')[0]).toMatchObject({ question: gap, known: [{ question, answer: `${words} [P1].` }] });
  });

  it('may not ask the task itself about all of the text', async () => {
    const { result } = await asked({ explore: [look(['sub_query', { question }]), ...found] });
    const [{ children, steps }] = result.recursionTree!.children as [TreeNode];
    expect(children).toEqual([]);
    expect(steps[0]!.calls).toMatchObject([{ outcome: 'wrong', result: expect.stringContaining('question itself') }]);
  });

  it('is judged by the critic together with the answer', async () => {
    const { of } = await asked();
    expect(of('critic')[0]!.claims).toEqual([expect.stringContaining(words), expect.stringContaining('Mara Lind')]);
  });

  it('leaves the answer unchanged if it fails', async () => {
    const { result } = await asked({ explore: [], conclude: [] });
    expect(result.answer).toBe(`${words} [1].`);
    expect(result.ladder.at(-1)).toMatchObject({ isKept: false, doubt: 'nothing was found' });
    expect(result.recursionTree).toMatchObject({ tells: 'part', missing: [gap], children: [{ question: gap }] });
  });

  it('leaves the answer unchanged if its findings cite nothing', async () => {
    const { result } = await asked({ explore: [finalAnswer('Whoever it was, nobody wrote that down anywhere.')] });
    expect(result.answer).toBe(`${words} [1].`);
  });

  it('asks each missing question once, however many rounds there are', async () => {
    const { result } = await asked({ explore: [], conclude: [] }, { refine: 3 });
    expect(result.recursionTree!.children).toHaveLength(1);
    expect(result.ladder.filter(({ step }) => step === 'refine')).toHaveLength(1);
  });

  it('asks three missing questions at most, and never the task itself', async () => {
    const missing = [question, 'Who was it?', 'When was it?', 'Where was it?', 'Why was it?'];
    const { result } = await asked({ answer: { ...first, missing }, explore: (_, at) => found[at % 2]! });
    expect(result.recursionTree!.children.map((child) => child.question)).toEqual(missing.slice(1, 4));
  });

  it.each([
    ['it is turned off', { refine: 0 }],
    ['the budget does not allow it', { budget: { maxCalls: 3 } }],
    ['there is no depth', { budget: { maxDepth: 0 } }],
  ])('is not made if %s', async (_, changes) => {
    const { result } = await asked({}, changes);
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer']);
  });

  it('is not made if nothing is missing, whatever the critic says', async () => {
    const critic = { confidenceScore: 10, verdicts: [], gaps: [gap], conflicts: [], reasoning: '' };
    const { result } = await asked({ answer: { ...first, tells: 'all', missing: [] }, critic });
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer']);
    expect(result.critique!.gaps).toEqual([gap]);
  });

  it('is not made by a model that can call no tools', async () => {
    const { result } = await askScripted(
      { answer: first },
      { documents, settings, scripted: { structuredOutput: false } },
      question,
    );
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer']);
  });

  it('is not made if the text was read whole', async () => {
    const { result } = await askScripted({ answer: first }, { settings }, question);
    expect(result.ladder.map(({ step }) => step)).toEqual(['answer']);
  });
});
