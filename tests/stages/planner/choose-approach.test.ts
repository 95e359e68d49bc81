import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseApproach,
  type Facts,
  foreseeApproach,
  wantsPlanner,
} from '../../../src/stages/planner/choose-approach.ts';
import type { StrategyName } from '../../../src/state.ts';
import { askScripted, finalAnswer, long, look, plan } from '../../support/scripted-run.ts';

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
  wantsAll: null,
  hasParts: false,
  hasForm: false,
  isReadable: true,
  callsLeft: 40,
  climbs: false,
  failCount: 0,
  planner: 'auto',
  ...changes,
});

const counts = 'to count or to list';
const mapper = { name: 'repo-mapper', strategy: 'explore' } as const;

describe('the approach that auto takes', () => {
  it.each<[about: string, changes: Partial<Facts>, approach: StrategyName, reason: RegExp]>([
    ['the user said it', { asked: 'scan', fits: true, failCount: 9 }, 'scan', /--strategy/],
    ['the text fits', { fits: true, said: 'explore', failCount: 9, role: mapper }, 'direct', /fits one prompt/],
    ['there is no text', { fits: true, hasText: false, said: 'direct' }, 'direct', /planner/],
    ['the role prefers it', { role: mapper, said: 'direct' }, 'explore', /role repo-mapper/],
    ['the role prefers what the model cannot', { role: mapper, can: unable }, 'decompose', /planner/],
    ['the planner counts', { said: 'scan' }, 'scan', /planner/],
    ['the words count', { said: 'direct', wantsAll: counts }, 'scan', /count or to list/],
    ['the words sum up', { said: null, wantsAll: 'to sum up', climbs: true }, 'scan', /to sum up, by its words/],
    [
      'the words count, the text is too long to be read',
      { said: null, wantsAll: counts, isReadable: false, climbs: true },
      'direct',
      /comes first/,
    ],
    ['the words count, the planner splits', { wantsAll: counts }, 'decompose', /planner/],
    ['4 attempts failed', { failCount: 4, said: 'direct' }, 'direct', /planner/],
    ['5 attempts failed', { failCount: 5, said: 'direct' }, 'explore', /5 attempts have failed/],
    ['the model cannot explore', { can: unable, failCount: 9, said: 'direct' }, 'direct', /planner/],
    ['the planner says what the model cannot', { can: unable, said: 'explore' }, 'decompose', /not up to/],
    ['the planner splits, the model is small', { can: small }, 'direct', /not up to/],
    ['the planner explores, the model is small', { can: small, said: 'explore' }, 'direct', /not up to/],
    ['the planner scans, the model is small', { can: small, said: 'scan' }, 'scan', /planner/],
    [
      'its form shows parts, and the model is small',
      { can: small, said: null, climbs: true, hasForm: true },
      'decompose',
      /parts by its form/,
    ],
    [
      'its form shows parts, and the model is not small',
      { said: null, climbs: true, hasForm: true },
      'direct',
      /comes first/,
    ],
    ['no plan, and the model is small', { can: small, said: null }, 'direct', /too small to split/],
    ['no plan, and code answers', { said: null }, 'decompose', /no plan/],
    ['no plan, and a model answers', { said: null, climbs: true }, 'direct', /best passages comes first/],
    ['no plan and no text', { said: null, hasText: false, fits: true }, 'direct', /no plan/],
    ['no plan, but words', { said: null, wantsAll: counts }, 'scan', /by its words/],
    ['one call is left, and a plan', { failCount: 9, callsLeft: 1 }, 'decompose', /planner/],
    ['one call is left, and no plan', { said: null, failCount: 9, callsLeft: 1 }, 'direct', /too few calls/],
    [
      'only code can look',
      { can: new Set<StrategyName>([...unable, 'repl']), failCount: 5 },
      'repl',
      /5 attempts have failed/,
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
    ['is to look around, but for a scan', { failCount: 5 }, 'explore', ['scan'], /5 attempts have failed/],
    ['is a scan by the words, but for other words', { wantsAll: counts }, 'scan', without('direct', 'scan'), /words/],
    ['is a scan before a look', { wantsAll: counts, failCount: 5 }, 'scan', ['explore'], /count or to list/],
    ['is open where no fact settles it', {}, null, every, /no fact/],
    ['is open to no more than the model can', { can: unable, failCount: 9 }, null, [...unable], /no fact/],
    ['needs no planner where there is none', { callsLeft: 1 }, 'direct', [], /too few calls/],
    ['is open where planning takes the last but one', { callsLeft: 2, failCount: 9 }, null, every, /no fact/],
  ])('%s', (_, changes, approach, others, reason) => {
    expect(foreseeApproach(facts(changes))).toMatchObject({
      approach,
      reason: expect.stringMatching(reason),
      plannerMayChoose: others,
    });
  });

  it('is the choice, or among the choices of the planner, whatever the planner says', () => {
    const flags = fc.record({
      fits: fc.boolean(),
      hasText: fc.boolean(),
      wantsAll: fc.constantFrom(null, counts),
      hasParts: fc.boolean(),
      climbs: fc.boolean(),
      isReadable: fc.boolean(),
      callsLeft: fc.integer({ min: 0, max: 4 }),
      failCount: fc.constantFrom(0, 9),
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
    ['where facts lead to a look, which its word may make a scan', { failCount: 5 }, true],
    ['not where an answer of a model is tried first', { climbs: true }, false],
    ['where the question has parts', { climbs: true, hasParts: true }, true],
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

  it('is the same where only the planner leads there, except for the planner’s call', async () => {
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
  const explore = [look(['search_context', { query: 'nothing' }]), finalAnswer('Zero.')];

  it('are given: failed attempts', async () => {
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

  it.each(['Within how many minutes must a page be acknowledged?', 'How many full days of leave are there?'])(
    'are not in words that measure: %s',
    async (question) => {
      const { result } = await askScripted(
        {},
        { documents: long, settings: { stages: { planner: 'auto' } } },
        question,
      );
      expect(result.plan).toMatchObject({ madeBy: 'code', approach: 'direct' });
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
