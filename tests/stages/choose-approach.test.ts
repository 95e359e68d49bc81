import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseApproach, type Facts, foreseeApproach, wantsPlanner } from '../../src/stages/choose-approach.ts';
import type { StrategyName } from '../../src/state.ts';
import { askScripted, finalAnswer, long, look, plan } from '../support/scripted-run.ts';

const able = new Set<StrategyName>(['direct', 'decompose', 'scan', 'explore', 'repl']);
const unable = new Set<StrategyName>(['direct', 'decompose', 'scan']);

const small = new Set<StrategyName>(['direct', 'scan']);

const facts = (changes: Partial<Facts>): Facts => ({
  asked: 'auto',
  role: null,
  said: 'decompose',
  hasText: true,
  fits: false,
  can: able,
  countsOrLists: false,
  isReadable: true,
  callsLeft: 40,
  tokens: 50_000,
  exploreTokens: 100_000,
  links: null,
  failCount: 0,
  planner: 'auto',
  ...changes,
});

const links = { documents: 4, example: 'a.ts to b.ts' };
const mapper = { name: 'repo-mapper', strategy: 'explore' } as const;

describe('the approach that auto takes', () => {
  it.each<[about: string, changes: Partial<Facts>, approach: StrategyName, reason: RegExp]>([
    ['the user said it', { asked: 'scan', fits: true, failCount: 9 }, 'scan', /--strategy/],
    ['the text fits', { fits: true, said: 'explore', failCount: 9, role: mapper }, 'direct', /fits one prompt/],
    ['there is no text', { fits: true, hasText: false, said: 'direct' }, 'direct', /planner/],
    ['the role prefers it', { role: mapper, said: 'direct' }, 'explore', /role repo-mapper/],
    ['the role prefers what the model cannot', { role: mapper, can: unable }, 'decompose', /planner/],
    ['the planner counts', { said: 'scan', tokens: 200_000 }, 'scan', /planner/],
    ['the words count', { said: 'direct', countsOrLists: true }, 'scan', /count or to list/],
    [
      'the words count in a text that can be read',
      { said: 'direct', countsOrLists: true, tokens: 200_000 },
      'scan',
      /by its words/,
    ],
    [
      'the words count, the text is too long to be read',
      { said: 'direct', countsOrLists: true, isReadable: false, tokens: 9e6 },
      'explore',
      /9,000,000 tokens/,
    ],
    ['the words count, the planner splits', { countsOrLists: true }, 'decompose', /planner/],
    ['100,000 tokens', { tokens: 100_000 }, 'decompose', /planner/],
    ['more than 100,000 tokens', { tokens: 100_001 }, 'explore', /100,001 tokens, more than 100,000/],
    [
      'files name each other',
      { links, said: 'direct' },
      'explore',
      /4 documents refer to each other, such as a\.ts to b\.ts/,
    ],
    ['4 attempts failed', { failCount: 4, said: 'direct' }, 'direct', /planner/],
    ['5 attempts failed', { failCount: 5, said: 'direct' }, 'explore', /5 attempts have failed/],
    [
      'the model cannot explore',
      { can: unable, tokens: 9e6, links, failCount: 9, said: 'direct' },
      'direct',
      /planner/,
    ],
    ['the planner says what the model cannot', { can: unable, said: 'explore' }, 'decompose', /not up to/],
    ['the planner splits, the model is small', { can: small }, 'direct', /not up to/],
    ['the planner explores, the model is small', { can: small, said: 'explore' }, 'direct', /not up to/],
    ['the planner scans, the model is small', { can: small, said: 'scan' }, 'scan', /planner/],
    ['no plan, and the model is small', { can: small, said: null }, 'direct', /too small to split/],
    ['no plan', { said: null }, 'decompose', /no plan/],
    ['no plan and no text', { said: null, hasText: false, fits: true }, 'direct', /no plan/],
    ['no plan, but words', { said: null, countsOrLists: true }, 'scan', /by its words/],
    ['one call is left, and a plan', { tokens: 9e6, callsLeft: 1 }, 'decompose', /planner/],
    ['one call is left, and no plan', { said: null, tokens: 9e6, callsLeft: 1 }, 'direct', /too few calls/],
    [
      'only code can look',
      { can: new Set<StrategyName>([...unable, 'repl']), tokens: 200_000 },
      'repl',
      /200,000 tokens/,
    ],
    ['the planner alone', { said: 'explore' }, 'explore', /planner/],
  ])('%s', (_, changes, approach, reason) => {
    expect(chooseApproach(facts(changes))).toEqual({ approach, reason: expect.stringMatching(reason) });
  });
});

describe('the approach that is foreseen', () => {
  const every = ['direct', 'decompose', 'scan', 'explore', 'repl'];
  const without = (...names: string[]) => every.filter((name) => !names.includes(name));
  it.each<[about: string, changes: Partial<Facts>, approach: StrategyName | null, others: string[], reason: RegExp]>([
    ['is asked for', { asked: 'scan' }, 'scan', [], /--strategy/],
    ['is direct for what fits', { fits: true }, 'direct', [], /fits one prompt/],
    ['is the role’s', { role: mapper }, 'explore', [], /role repo-mapper/],
    ['is to look around, but for a scan', { tokens: 200_000 }, 'explore', ['scan'], /200,000 tokens, more than/],
    ['is to look around, by links', { links }, 'explore', ['scan'], /4 documents refer to each other/],
    [
      'is a scan by the words, but for other words',
      { countsOrLists: true },
      'scan',
      without('direct', 'scan'),
      /words/,
    ],
    ['is a scan before a look', { countsOrLists: true, failCount: 5 }, 'scan', ['explore'], /count or to list/],
    ['is open where no fact settles it', {}, null, every, /no fact/],
    ['is open to no more than the model can', { can: unable, tokens: 9e6 }, null, [...unable], /no fact/],
    ['needs no planner where there is none', { callsLeft: 1 }, 'direct', [], /too few calls/],
    ['is open where planning takes the last but one', { callsLeft: 2, tokens: 9e6 }, null, every, /no fact/],
  ])('%s', (_, changes, approach, others, reason) => {
    expect(foreseeApproach(facts(changes))).toMatchObject({
      approach,
      reason: expect.stringMatching(reason),
      plannerMayChoose: others,
    });
  });

  it('is what is chosen, or what the planner may choose, whatever it says', () => {
    const flags = fc.record({
      fits: fc.boolean(),
      hasText: fc.boolean(),
      countsOrLists: fc.boolean(),
      isReadable: fc.boolean(),
      callsLeft: fc.integer({ min: 0, max: 4 }),
      tokens: fc.constantFrom(50_000, 200_000),
      can: fc.constantFrom(able, unable),
      role: fc.constantFrom(null, mapper),
    });
    fc.assert(
      fc.property(flags, fc.constantFrom(...able), (changes, said) => {
        const known = facts(changes);
        const { isPlanned, approach, plannerMayChoose } = foreseeApproach(known);
        const callsLeft = known.callsLeft - (isPlanned ? 1 : 0);
        const chosen = chooseApproach({ ...known, callsLeft, said: isPlanned ? said : null }).approach;
        expect([approach, ...plannerMayChoose]).toContain(chosen);
      }),
    );
  });
});

describe('the planner is asked', () => {
  it.each<[about: string, changes: Partial<Facts>, isAsked: boolean]>([
    ['where nothing settles it', {}, true],
    ['where facts lead to a look, which its word may make a scan', { tokens: 200_000 }, true],
    ['not where the user said it', { asked: 'decompose' }, false],
    ['not where the text fits', { fits: true }, false],
    ['not where the role prefers an approach', { role: mapper }, false],
    ['not of a small model', { can: small }, false],
    ['of a small model where that is asked for', { can: small, planner: 'always' }, true],
    ['where the text fits and that is asked for', { fits: true, planner: 'always' }, true],
    ['never where that is asked for', { planner: 'never' }, false],
  ])('%s', (_, changes, isAsked) => {
    expect(wantsPlanner(facts(changes))).toBe(isAsked);
    expect(foreseeApproach(facts(changes)).isPlanned).toBe(isAsked);
  });

  const auto = { stages: { planner: 'auto', critic: 'auto' } } as const;
  it.each(['direct', 'scan', 'explore', 'repl', 'decompose'] as const)('not for --strategy %s', async (strategy) => {
    const { calls, result } = await askScripted({}, { documents: long, settings: { strategy, ...auto } });
    expect(calls.planner).toBeUndefined();
    expect(result.plan).toMatchObject({ approach: strategy, reason: 'asked for by --strategy', keyQuestions: [] });
    expect(result.status).toBe('answered');
  });

  it('not where the text fits: one call answers, and one judges', async () => {
    const { calls } = await askScripted({}, { settings: auto });
    expect(calls).toEqual({ answer: 1, critic: 1 });
  });
});

describe('the window of an exploration', () => {
  const windowsOf = async (planned: StrategyName, settings: object) => {
    const explore = [look(['describe_context', {}]), finalAnswer('Zero.')];
    const script = { planner: plan({ approach: planned }), explore };
    const { requests, result } = await askScripted(script, { documents: long, settings });
    return { windows: requests.map((request) => request.windowTokens), approach: result.plan!.approach };
  };

  it('is the largest from the first call on where the facts lead there, as with --strategy', async () => {
    const [asked, led] = await Promise.all([
      windowsOf('direct', { strategy: 'explore' }),
      windowsOf('direct', { failCount: 5 }),
    ]);
    expect(led).toEqual(asked);
    expect(asked).toEqual({ approach: 'explore', windows: [16_384, 16_384, 16_384, 16_384] });
  });

  it('is the same where only the planner leads there, but for the planner’s call', async () => {
    expect(await windowsOf('explore', {})).toEqual({
      approach: 'explore',
      windows: [8_192, 16_384, 16_384, 16_384],
    });
    expect((await windowsOf('direct', {})).windows).toEqual([8_192, 8_192, 8_192]);
  });

  it('counts in what a limit of tokens pays for', async () => {
    const { result } = await askScripted(
      {
        planner: plan({ approach: 'explore' }),
        explore: (_, step) => look(['peek_context', { source: 'long.md', startLine: 9 * step + 1 }]),
      },
      { documents: long, settings: { budget: { maxTokens: 60_000 } } },
    );
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit-tokens' });
    expect(result.usage.tokens.input + result.usage.tokens.output).toBeLessThanOrEqual(60_000);
    expect(result.answer).toContain('About');
  });
});

describe('the facts of a run', () => {
  const filler = 'export const nothing = 0;\n'.repeat(1_500);
  const tree = ['a', 'b', 'c'].map((name, index, all) => ({
    name: `src/${name}.ts`,
    text: `import { x } from './${all[(index + 1) % 3]}.ts';\n${filler}`,
  }));
  const explore = [look(['search_context', { query: 'nothing' }]), finalAnswer('Zero.')];

  it('are measured: how much text there is', async () => {
    const settings = { auto: { exploreTokens: 10_000 } };
    const { result } = await askScripted({ explore }, { documents: long, settings });
    expect(result.plan).toMatchObject({ approach: 'explore', reason: expect.stringMatching(/more than 10,000$/) });
    expect(result.recursionTree).toMatchObject({ strategy: 'explore', strategyReason: result.plan!.reason });
  });

  it('are measured: files that import each other, and not one log', async () => {
    const { result } = await askScripted({ explore }, { documents: tree });
    expect(result.plan!.reason).toBe('3 documents refer to each other, such as src/a.ts to src/b.ts');
    const apart = tree.map(({ name, text }) => ({ name, text: text.replace(/^import.*\n/, '') }));
    expect((await askScripted({}, { documents: apart })).result.plan).toMatchObject({ approach: 'direct' });
  });

  it.each([
    ['Python', 'py', 'from app.NAME import run'],
    ['Rust', 'rs', 'use crate::app::NAME;'],
    ['C', 'c', '#include "NAME.h"'],
    ['Java', 'java', 'import com.app.NAME;'],
    ['Markdown', 'md', 'See [that](../notes/NAME.md#part).'],
  ])('are measured: links of %s', async (_, ending, line) => {
    const documents = ['one', 'two', 'three'].map((name, index, all) => ({
      name: `app/${name}.${ending}`,
      text: `${line.replace('NAME', all[(index + 1) % 3]!)}\n${filler}`,
    }));
    const { result } = await askScripted({ explore }, { documents });
    expect(result.plan!.reason).toMatch(/^3 documents refer to each other/);
  });

  it('are told: attempts that failed', async () => {
    const { result } = await askScripted({ explore }, { documents: long, settings: { failCount: 5 } });
    expect(result.plan).toMatchObject({ approach: 'explore', reason: '5 attempts have failed before' });
  });

  it.each(['How many releases went out?', 'List all releases.', 'Count the releases.'])(
    'are in the words: %s',
    async (question) => {
      const { result } = await askScripted({}, { documents: long }, question);
      expect(result.plan).toMatchObject({
        approach: 'scan',
        reason: 'the question asks to count or to list, by its words',
      });
    },
  );

  it('hold no code for a model that is not made for it', async () => {
    const options = { documents: long, settings: { auto: { exploreTokens: 1_000_000 } } };
    const { result } = await askScripted({ planner: plan({ approach: 'repl' }) }, options);
    expect(result.plan).toMatchObject({ approach: 'decompose', reason: expect.stringContaining('not up to') });
  });

  it('hold no exploring for a model that can neither call tools nor follow a schema', async () => {
    const planner = plan({ approach: 'explore' });
    const options = { documents: long, settings: { failCount: 9 }, scripted: { structuredOutput: false } };
    const { result } = await askScripted(
      { planner: `APPROACH: explore\nKEY QUESTIONS:\n- ${planner.approach}?` },
      options,
    );
    expect(result.plan!.approach).toBe('decompose');
  });
});
