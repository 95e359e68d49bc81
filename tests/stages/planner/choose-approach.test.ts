import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApproachFacts,
  chooseApproach,
  foreseeApproach,
  wantsPlanner,
} from '../../../src/stages/choose-strategy.ts';
import type { StrategyName } from '../../../src/state.ts';
import { askScripted, finalAnswer, long, look, plan } from '../../support/scripted-run.ts';

const able = new Set<StrategyName>(['direct', 'decompose', 'scan', 'explore', 'repl']);
const unable = new Set<StrategyName>(['direct', 'decompose', 'scan']);

const small = new Set<StrategyName>(['direct', 'scan']);

const facts = (changes: Partial<ApproachFacts>): ApproachFacts => ({
  asked: 'auto',
  role: null,
  said: null,
  hasText: true,
  fits: false,
  can: able,
  callsLeft: 40,
  climbs: true,
  failCount: 0,
  planner: 'auto',
  ...changes,
});

const mapper = { name: 'repo-mapper', strategy: 'explore' } as const;

describe('the approach that auto takes', () => {
  it.each<[about: string, changes: Partial<ApproachFacts>, approach: StrategyName, reason: RegExp]>([
    ['nothing decides', {}, 'direct', /best passages comes first/],
    ['the user said it', { asked: 'scan', fits: true, failCount: 9 }, 'scan', /--strategy/],
    ['the text fits', { fits: true, said: 'explore', failCount: 9, role: mapper }, 'direct', /fits one prompt/],
    ['there is no text', { fits: true, hasText: false }, 'direct', /there is no text/],
    ['there is no text, and the planner chose', { fits: true, hasText: false, said: 'direct' }, 'direct', /planner/],
    ['the role prefers it', { role: mapper, said: 'direct' }, 'explore', /role repo-mapper/],
    ['the role prefers what the model cannot', { role: mapper, can: unable }, 'direct', /comes first/],
    ['4 attempts failed', { failCount: 4 }, 'direct', /comes first/],
    ['5 attempts failed', { failCount: 5 }, 'explore', /5 attempts have failed/],
    ['5 attempts failed, and the planner chose', { failCount: 5, said: 'direct' }, 'direct', /planner/],
    ['5 attempts failed, and there is no text', { failCount: 5, hasText: false }, 'direct', /there is no text/],
    ['the model cannot explore', { can: unable, failCount: 9 }, 'direct', /comes first/],
    ['only code can look', { can: new Set([...unable, 'repl']), failCount: 5 }, 'repl', /5 attempts have failed/],
    ['the planner chose', { said: 'scan' }, 'scan', /planner/],
    ['the planner chose what the model cannot', { can: unable, said: 'explore' }, 'decompose', /not capable of/],
    ['the planner chose, and the model is small', { can: small, said: 'explore' }, 'direct', /not capable of/],
    ['the planner splits, and the model is small', { can: small, said: 'decompose' }, 'direct', /not capable of/],
    ['one call is left', { failCount: 9, callsLeft: 1 }, 'direct', /too few calls/],
  ])('%s', (_, changes, approach, reason) => {
    expect(chooseApproach(facts(changes))).toEqual({ approach, reason: expect.stringMatching(reason) });
  });
});

describe('the foreseen approach', () => {
  const every = ['direct', 'decompose', 'scan', 'explore', 'repl'];
  const always = { planner: 'always' } as const;
  it.each<
    [about: string, changes: Partial<ApproachFacts>, approach: StrategyName | null, others: string[], reason: RegExp]
  >([
    ['is a look at the best passages', {}, 'direct', [], /comes first/],
    ['is asked for', { asked: 'scan', ...always }, 'scan', [], /--strategy/],
    ['is direct for what fits', { fits: true, ...always }, 'direct', [], /fits one prompt/],
    ['is the role’s', { role: mapper, ...always }, 'explore', [], /role repo-mapper/],
    ['is to look around after failures', { failCount: 5 }, 'explore', [], /5 attempts have failed/],
    ['is open where the planner is asked', always, null, every, /no measurable fact/],
    ['is open to no more than the model can', { can: unable, ...always }, null, [...unable], /no measurable fact/],
    ['needs no planner where too few calls are left', { callsLeft: 1, ...always }, 'direct', [], /too few calls/],
    ['is not open where planning takes the last but one', { callsLeft: 2, ...always }, 'direct', [], /too few calls/],
  ])('%s', (_, changes, approach, others, reason) => {
    expect(foreseeApproach(facts(changes))).toMatchObject({
      approach,
      reason: expect.stringMatching(reason),
      plannerMayChoose: others,
    });
  });

  it.each<[about: string, changes: Partial<ApproachFacts>, steps: string[]]>([
    ['a step that the model is up to', {}, ['decompose', 'scan', 'explore', 'repl']],
    ['parts or a scan, for a model without tools', { can: unable }, ['decompose', 'scan']],
    ['one more look, for a small model', { can: small }, ['direct']],
    ['nothing where no model answers', { climbs: false }, []],
    ['nothing where the text was read whole', { fits: true }, []],
    ['nothing where the strategy was asked for', { asked: 'direct' }, []],
    ['nothing after an exploration', { failCount: 5 }, []],
    ['nothing where the planner is asked', { planner: 'always' }, []],
  ])('may be followed by %s', (_, changes, steps) => {
    expect(foreseeApproach(facts(changes)).mayClimbTo).toEqual(steps);
  });

  it('is the choice, or among the choices of the planner, whatever the planner says', () => {
    const flags = fc.record({
      fits: fc.boolean(),
      hasText: fc.boolean(),
      climbs: fc.boolean(),
      callsLeft: fc.integer({ min: 0, max: 4 }),
      failCount: fc.constantFrom(0, 9),
      can: fc.constantFrom(able, unable, small),
      role: fc.constantFrom(null, mapper),
      planner: fc.constantFrom('auto', 'always', 'never'),
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
  it.each<[about: string, changes: Partial<ApproachFacts>, isAsked: boolean]>([
    ['where the settings ask for it', { planner: 'always' }, true],
    ['of a small model where the settings ask for it', { can: small, planner: 'always' }, true],
    ['where the text fits and the settings ask for it', { fits: true, planner: 'always' }, true],
    ['not by default: a first look at the text is better', {}, false],
    ['where no language model answers, since that costs nothing', { climbs: false }, true],
    ['where no language model answers, even if the text fits', { climbs: false, fits: true }, true],
    ['not where no language model answers and the strategy is given', { climbs: false, asked: 'scan' }, false],
    ['not where no language model answers and the settings say never', { climbs: false, planner: 'never' }, false],
    ['not after failures', { failCount: 5 }, false],
    ['never where the settings say so', { planner: 'never' }, false],
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

  it('not if the text fits: one call answers', async () => {
    const { calls } = await askScripted({}, { settings: auto });
    expect(calls).toEqual({ answer: 1 });
  });

  it.each(['How many releases went out?', 'List all releases.', 'What is the pool, and who lowered it?'])(
    'not because of the words of a question: %s',
    async (question) => {
      const { calls, result } = await askScripted({}, { documents: long, settings: auto }, question);
      expect(calls).toEqual({ answer: 1 });
      expect(result.plan).toMatchObject({ madeBy: 'code', approach: 'direct' });
    },
  );
});

describe('the window of an exploration', () => {
  const windowsOf = async (planned: StrategyName, settings: object) => {
    const explore = [look(['describe_context', {}]), finalAnswer('Zero.')];
    const script = { planner: plan({ approach: planned }), explore };
    const { requests, result } = await askScripted(script, { documents: long, settings });
    return { windows: requests.map((request) => request.windowTokens), approach: result.plan!.approach };
  };

  it('is the largest from the first call on if the facts lead there, as with --strategy', async () => {
    const [asked, led] = await Promise.all([
      windowsOf('direct', { strategy: 'explore' }),
      windowsOf('direct', { failCount: 5, stages: { planner: 'never' } }),
    ]);
    expect(asked).toEqual({ approach: 'explore', windows: [32_768, 32_768, 32_768, 32_768] });
    expect(led).toEqual({ approach: 'explore', windows: [32_768, 32_768, 32_768] });
  });

  it('is the same if only the planner leads there, except for the planner’s call', async () => {
    expect(await windowsOf('explore', {})).toEqual({
      approach: 'explore',
      windows: [16_384, 32_768, 32_768, 32_768],
    });
    expect((await windowsOf('direct', {})).windows).toEqual([16_384, 16_384, 16_384]);
  });

  it('counts for a limit of tokens', async () => {
    const { result } = await askScripted(
      {
        planner: plan({ approach: 'explore' }),
        explore: (_, step) => look(['read_file', { path: 'long.md', startLine: 9 * step + 1 }]),
      },
      { documents: long, settings: { budget: { maxTokens: 120_000 } } },
    );
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit-tokens' });
    expect(result.usage.tokens.input + result.usage.tokens.output).toBeLessThanOrEqual(120_000);
    expect(result.answer).toContain('About');
  });
});

describe('the facts of a run', () => {
  const explore = [look(['grep', { words: 'nothing' }]), finalAnswer('Zero.')];

  it('include failed attempts', async () => {
    const settings = { failCount: 5, stages: { planner: 'auto' } } as const;
    const { result } = await askScripted({ explore }, { documents: long, settings });
    expect(result.plan).toMatchObject({ approach: 'explore', reason: '5 attempts have failed before' });
  });

  it('allow no code for a model that is not made for it', async () => {
    const { result } = await askScripted({ planner: plan({ approach: 'repl' }) }, { documents: long });
    expect(result.plan).toMatchObject({ approach: 'decompose', reason: expect.stringContaining('not capable of') });
  });

  it('allow no exploring for a model that can neither call tools nor follow a schema', async () => {
    const planner = plan({ approach: 'explore' });
    const options = { documents: long, settings: { failCount: 9 }, scripted: { structuredOutput: false } };
    const { result } = await askScripted(
      { planner: `APPROACH: explore\nKEY QUESTIONS:\n- ${planner.approach}?` },
      options,
    );
    expect(result.plan!.approach).toBe('decompose');
  });
});
