import { describe, expect, it } from 'vitest';
import { askScripted, finalAnswer, long, look, part, type Script, variables } from '../support/scripted-run.ts';

const auto = { stages: { planner: 'auto', critic: 'never' } } as const;
const filler = 'export const nothing = 0;\n'.repeat(1_500);
const right = 'The pool was limited to 20 by release 4.2 [P1].';
const guess =
  'Zeppelins are lighter than air, which nobody in the whole wide world has ever seriously doubted since they fly.';
const question = 'Which release limited the pool?';
const pools = Array.from({ length: 400 }, (_, at) => `Pool ${at} has a release of its own.\n\n`).join('');

/** Asks over text that fits no window, unless options say otherwise, with the default stages. */
const climbing = (script: Script, options: Parameters<typeof askScripted>[1] = {}, asked = question) =>
  askScripted(script, { documents: long, settings: auto, ...options }, asked);

const explore = [look(['grep', { pattern: 'pool' }]), finalAnswer(right)];

describe('the ladder of auto', () => {
  it('ends after one call where the check by code is content', async () => {
    const { result, prompts } = await climbing({ answer: right });
    expect(prompts).toEqual(['answer']);
    expect(result.plan).toMatchObject({ madeBy: 'code', approach: 'direct' });
    expect(result.ladder).toEqual([
      { step: 'answer', reason: expect.stringContaining('comes first'), doubt: null, isKept: true },
    ]);
  });

  it('asks no model where code computes the answer', async () => {
    const { result, prompts } = await climbing({}, {}, 'How many lines say "Nothing else happened then"?');
    expect(prompts).toEqual([]);
    expect(result.ladder).toMatchObject([{ step: 'look', isKept: true }]);
  });

  it('shows the best sentences at first, and more of the text where they do not do', async () => {
    const documents = [{ name: 'a.md', text: `${long[0]!.text}${pools}` }];
    const { result, of } = await climbing({ answer: [guess, right] }, { documents });
    const [first, second] = of('answer').map(({ passages }) => passages.map(({ text }) => text).join('').length);
    expect(first).toBeLessThan(5_000);
    expect(second).toBeGreaterThan(first!);
    expect(result).toMatchObject({ status: 'answered', answer: expect.stringContaining('release 4.2') });
    expect(result.ladder.map(({ step, isKept }) => [step, isKept])).toEqual([
      ['answer', false],
      ['wider', true],
    ]);
    expect(result.ladder[0]!.doubt).toContain('cites nothing');
    expect(result.ladder[1]!.reason).toContain('more of the text is read');
  });

  it('skips a step that does not fit the time left, judged by the speed so far, with a warning', async () => {
    const documents = [{ name: 'a.md', text: `${long[0]!.text}${pools}` }];
    const settings = { ...auto, budget: { timeout: 60 } };
    const inTime = await climbing(
      { answer: [guess, right] },
      { documents, settings, scripted: { timing: { readMs: 1_000, writeMs: 1_000 } } },
    );
    expect(inTime.result.ladder.map(({ step }) => step)).toEqual(['answer', 'wider']);
    const slow = await climbing(
      { answer: [guess, right] },
      { documents, settings, scripted: { timing: { readMs: 50_000, writeMs: 1_000 } } },
    );
    expect(slow.result.ladder.map(({ step }) => step)).toEqual(['answer']);
    expect(slow.result.warnings.join()).toMatch(
      /more of the text is read: left out, because it takes about [\d.]+ .*s are left/,
    );
  });

  it('explores where the passages do not answer, with the largest window', async () => {
    const { result, events, requests } = await climbing({ answer: 'The text does not say.', explore });
    expect(result.ladder.at(-1)).toMatchObject({ step: 'explore', isKept: true, doubt: null });
    expect(result.recursionTree).toMatchObject({ strategy: 'explore', strategyReason: result.ladder.at(-1)!.reason });
    expect(events.filter(({ type }) => type === 'ladder.climbed')).toHaveLength(result.ladder.length - 1);
    expect(requests.at(-1)!.windowTokens).toBeGreaterThan(requests[0]!.windowTokens);
  });

  it('splits the question where the passages do not support the answer', async () => {
    const { result, calls } = await climbing({
      answer: (request) => (variables(request, 'answer').question === question ? guess : right),
      decompose: { subQuestions: [part('What limited the pool?'), part('When did it go out?')] },
      compose: right,
    });
    expect(result.ladder.at(-1)).toMatchObject({ step: 'decompose', isKept: true });
    expect(result.recursionTree!.children).toHaveLength(2);
    expect(calls).toMatchObject({ decompose: 1, compose: 1 });
  });

  it.each([
    ['much text', long, { exploreTokens: 10_000 }, /more than 10,000$/],
    [
      'files that import each other',
      ['a', 'b', 'c'].map((name, index, all) => ({
        name: `src/${name}.ts`,
        text: `import { x } from './${all[(index + 1) % 3]}.ts';\n${filler}`,
      })),
      {},
      /3 documents refer to each other, such as src\/a\.ts to src\/b\.ts$/,
    ],
  ])('looks around rather than splits for %s', async (_, documents, settings, reason) => {
    const { result } = await climbing({ answer: guess, explore }, { documents, settings: { ...auto, auto: settings } });
    expect(result.ladder.at(-1)!.step).toBe('explore');
    expect(result.ladder.at(-1)!.reason).toMatch(reason);
  });

  it.each([
    ['Python', 'py', 'from app.NAME import run'],
    ['Rust', 'rs', 'use crate::app::NAME;'],
    ['C', 'c', '#include "NAME.h"'],
    ['Java', 'java', 'import com.app.NAME;'],
    ['Markdown', 'md', 'See [that](../notes/NAME.md#part).'],
  ])('knows links of %s', async (_, ending, line) => {
    const documents = ['one', 'two', 'three'].map((name, index, all) => ({
      name: `app/${name}.${ending}`,
      text: `${line.replace('NAME', all[(index + 1) % 3]!)}\n${filler}`,
    }));
    const { result } = await climbing({ answer: guess, explore }, { documents });
    expect(result.ladder.at(-1)!.reason).toMatch(/3 documents refer to each other/);
  });

  it('keeps the answer of a step below where the steps above did no better', async () => {
    const { result } = await climbing({
      answer: guess,
      decompose: { subQuestions: [part('What?'), part('When?')] },
      compose: 'Balloons, too.',
    });
    expect(result).toMatchObject({ status: 'answered', answer: guess });
    expect(result.ladder.map(({ isKept }) => isKept)).toEqual([true, ...result.ladder.slice(1).map(() => false)]);
  });

  it('keeps the answer where the step above fails', async () => {
    const { result } = await climbing({ answer: 'The text does not say.', explore: [] });
    expect(result).toMatchObject({ status: 'answered', answer: 'The text does not say.' });
  });

  it('does not climb from a text that was read whole', async () => {
    const { prompts } = await askScripted({ answer: 'The text does not say.' }, { settings: auto });
    expect(prompts).toEqual(['answer']);
  });

  it('does not climb beyond the calls that are left', async () => {
    const settings = { ...auto, budget: { maxCalls: 1 } };
    const { result, prompts } = await climbing({ answer: guess }, { settings });
    expect(prompts).toEqual(['answer']);
    expect(result.status).toBe('answered');
  });

  it('does not climb for a strategy that was asked for', async () => {
    const { prompts } = await climbing({ answer: guess }, { settings: { ...auto, strategy: 'direct' } });
    expect(prompts).toEqual(['answer']);
  });
});
