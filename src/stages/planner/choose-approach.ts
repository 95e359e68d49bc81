/** Resolves `auto` by measurable facts. */
import type { Settings } from '../../config/settings.ts';
import { lookers, type Plan, type StrategyName, strategyNames, wayOf } from '../../state.ts';

/** What is known when the approach is chosen. */
export interface ApproachFacts {
  /** The strategy in the settings. */
  readonly asked: StrategyName | 'auto';
  /** The strategy that the role prefers under `auto`; null: none. */
  readonly role: { readonly name: string; readonly strategy: StrategyName } | null;
  /** The planner's choice; null where it was not asked, or gave no usable reply. */
  readonly said: StrategyName | null;
  readonly hasText: boolean;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
  /** The strategies that the model is capable of. */
  readonly can: ReadonlySet<StrategyName>;
  /** Model calls that are left for the answer. */
  readonly callsLeft: number;
  /** Whether a language model answers, so that a further step can follow a first look. */
  readonly climbs: boolean;
  /** Number of earlier attempts that failed. */
  readonly failCount: number;
  /** The setting for when the planner is asked. */
  readonly planner: Settings['stages']['planner'];
}

/** What is known before the planner is asked. */
type Known = Omit<ApproachFacts, 'said'>;

type ApproachChoice = Pick<Plan, 'approach' | 'reason'>;

/**
 * Ordinary calls left for planning, at least: with fewer, planning would take the answering call; the critic's is in
 * the reserve.
 */
export const callsWorthPlanning = 2;

/** Calls left for a choice, at least: a step and the answering call. */
const callsWorthChoosing = 2;

/** Failed attempts, at most, before an exploring approach is taken. */
const mostFailures = 4;

/** Returns the planner's choice, bounded by the model's capability. */
function planned(said: StrategyName, { can }: Known): ApproachChoice {
  if (can.has(said)) return { approach: said, reason: 'the planner chose it' };
  const approach = can.has('decompose') ? 'decompose' : 'direct';
  return { approach, reason: `the planner chose ${said}, which the model is not capable of` };
}

/**
 * Chooses the approach, with the reason in a sentence: what the user, the role or the planner asks for, else a look at
 * the best passages. Whether more has to be read, the model says when it has seen them.
 */
export function chooseApproach({ said, ...known }: ApproachFacts): ApproachChoice {
  const { asked, role, hasText, fits, can, callsLeft, failCount } = known;
  if (asked !== 'auto') return { approach: asked, reason: 'asked for by --strategy' };
  if (fits && hasText) return { approach: 'direct', reason: 'the whole text fits one prompt' };
  if (role !== null && can.has(role.strategy))
    return { approach: role.strategy, reason: `the role ${role.name} prefers it` };
  if (callsLeft < callsWorthChoosing) return { approach: 'direct', reason: 'too few calls are left for another way' };
  if (said !== null) return planned(said, known);
  const looker = lookers.find((one) => can.has(one));
  if (looker !== undefined && hasText && failCount > mostFailures)
    return { approach: looker, reason: `${failCount} attempts have failed before` };
  return { approach: 'direct', reason: hasText ? 'an answer from the best passages comes first' : 'there is no text' };
}

/**
 * Whether the planner is asked. A model is asked only where the settings say so, since no plan is better than a look at
 * the text. Without a language model no reply says what is missing, and planning costs nothing.
 */
export const wantsPlanner = ({ planner, climbs, asked, fits, hasText }: Known): boolean =>
  planner === 'always' || (planner === 'auto' && !climbs && asked === 'auto' && !(fits && hasText));

/** The approach, as far as it is known before the planner is asked. */
export interface Foreseen {
  /** Whether the planner is asked. */
  readonly isPlanned: boolean;
  /** The approach by the facts; null where only the planner decides. */
  readonly approach: StrategyName | null;
  readonly reason: string;
  /** The approaches that the planner may choose instead, or at all where the facts do not decide. */
  readonly plannerMayChoose: readonly StrategyName[];
  /** The approaches that may follow a first look, the cheapest first; `direct`: a look at more of the text. */
  readonly mayClimbTo: readonly StrategyName[];
}

/** Returns the approaches that the model is capable of after a first look; none where the whole text was read. */
function stepsAbove({ asked, climbs, fits, can, hasText }: Known, approach: StrategyName | null) {
  if (asked !== 'auto' || !climbs || approach === null || wayOf(approach) !== 'passages' || !hasText || fits) return [];
  const above = strategyNames.filter((one) => wayOf(one) !== 'passages' && can.has(one));
  return above.some((one) => wayOf(one) !== 'all') ? above : (['direct'] as const);
}

/**
 * Foresees the approach for every possible choice of the planner.
 * @param known the facts; the calls that are left include the planner's.
 */
export function foreseeApproach(known: Known): Foreseen {
  const isPlanned = wantsPlanner(known) && known.callsLeft >= callsWorthPlanning;
  const callsLeft = known.callsLeft - (isPlanned ? 1 : 0);
  const choices = (isPlanned ? strategyNames : [null]).map((said) => chooseApproach({ ...known, callsLeft, said }));
  const reached = [...new Set(choices.map(({ approach }) => approach))];
  const settled = reached.length === 1 ? choices[0]! : null;
  return {
    isPlanned,
    approach: settled?.approach ?? null,
    reason: settled?.reason ?? 'no measurable fact decides it',
    plannerMayChoose: reached.filter((one) => one !== settled?.approach),
    mayClimbTo: isPlanned ? [] : stepsAbove(known, settled?.approach ?? null),
  };
}
