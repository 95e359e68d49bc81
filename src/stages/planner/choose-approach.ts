/** Resolves `auto`. Measurable facts decide first, then the planner's choice. */
import type { Settings } from '../../config/settings.ts';
import { lookers, type Plan, type StrategyName, strategyNames, wayOf } from '../../state.ts';

/** What is known when the approach is chosen. */
export interface Facts {
  /** The strategy in the settings. */
  readonly asked: StrategyName | 'auto';
  /** The strategy that the role prefers under `auto`; null: none. */
  readonly role: { readonly name: string; readonly strategy: StrategyName } | null;
  /** The planner's choice; null without a usable reply. */
  readonly said: StrategyName | null;
  readonly hasText: boolean;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
  /** The strategies that the model is capable of. */
  readonly can: ReadonlySet<StrategyName>;
  /** What the question asks about the whole text, by its words; null: nothing. */
  readonly wantsAll: string | null;
  /** Whether the question has parts, by its own form. */
  readonly hasParts: boolean;
  /** Whether the words of the question show its parts, so that code can write them and combine the answers. */
  readonly hasForm: boolean;
  /** Whether the calls that are left can read the whole text. */
  readonly isReadable: boolean;
  /** Model calls that are left for the answer. */
  readonly callsLeft: number;
  /** Whether a language model answers, so that further steps follow only an insufficient answer. */
  readonly climbs: boolean;
  /** Number of earlier attempts that failed. */
  readonly failCount: number;
  /** The setting for when the planner is asked. */
  readonly planner: Settings['stages']['planner'];
}

/** What is known before the planner is asked. */
type Known = Omit<Facts, 'said'>;

type ApproachChoice = Pick<Plan, 'approach' | 'reason'>;

/** A choice, and whether it depends on the planner. */
interface Decision extends ApproachChoice {
  readonly by: 'facts' | 'planner';
}

const byFacts = (approach: StrategyName, reason: string): Decision => ({ approach, reason, by: 'facts' });
const byPlanner = (approach: StrategyName, reason: string): Decision => ({ approach, reason, by: 'planner' });

/**
 * Ordinary calls left for planning, at least: with fewer, planning would take the answering call; the critic's is in
 * the reserve.
 */
export const callsWorthPlanning = 2;

/** Calls left for a choice, at least: a step and the answering call. */
const callsWorthChoosing = 2;

/** Failed attempts, at most, before an exploring approach is taken. */
const mostFailures = 4;

/** The choice where code computes the answer: scan returns it. */
export const settledChoice: ApproachChoice = {
  approach: 'scan',
  reason: 'code computes the answer from the whole text',
};

/**
 * Chooses a scan where the whole text has to be read, unless the planner splits the question, which it understands
 * better than its words show.
 */
function scans({ said, wantsAll, isReadable }: Facts): Decision | null {
  if (said !== null && wayOf(said) === 'all') return byPlanner(said, 'the planner chose it');
  const isFree = said === null || wayOf(said) === 'passages';
  if (!isFree || wantsAll === null || !isReadable) return null;
  return byFacts('scan', `the question asks ${wantsAll}, by its words`);
}

const withoutPlan = (next: StrategyName): string =>
  wayOf(next) === 'passages' ? 'the model is too small to split a question' : 'there is no plan to follow';

/**
 * Whether the approach begins with parts that code writes. A model that is too small to split questions answers
 * separate parts better than the whole question (docs/results.md); others handle both facts in one call.
 */
const beginsWithParts = ({ can, climbs, hasForm, hasText }: Facts): boolean =>
  climbs && hasForm && hasText && !can.has('decompose');

/**
 * Takes the planner's choice, bounded by the model's capability. Without a choice, an answer from the best passages
 * comes first, and the ladder continues where that is insufficient.
 */
function bounded(facts: Facts): Decision {
  const { said, can, hasText, climbs } = facts;
  const next = can.has('decompose') ? 'decompose' : 'direct';
  if (said === null && beginsWithParts(facts)) return byFacts('decompose', 'the question has parts by its form');
  if (said === null && climbs)
    return byPlanner('direct', hasText ? 'an answer from the best passages comes first' : 'there is no text');
  if (said === null) return byPlanner(hasText ? next : 'direct', withoutPlan(next));
  if (can.has(said)) return byPlanner(said, 'the planner chose it');
  return byPlanner(next, `the planner chose ${said}, which the model is not capable of`);
}

function decide(facts: Facts): Decision {
  const { asked, role, said, hasText, fits, can, callsLeft, failCount } = facts;
  if (asked !== 'auto') return byFacts(asked, 'asked for by --strategy');
  if (fits && hasText) return byFacts('direct', 'the whole text fits one prompt');
  if (role !== null && can.has(role.strategy)) return byFacts(role.strategy, `the role ${role.name} prefers it`);
  const looker = lookers.find((one) => can.has(one));
  const isOpen = looker !== undefined && callsLeft >= callsWorthChoosing;
  if (!isOpen && said !== null) return bounded(facts);
  if (callsLeft < callsWorthChoosing) return byFacts('direct', 'too few calls are left for another way');
  const scan = hasText ? scans(facts) : null;
  if (scan !== null) return scan;
  const looks = looker !== undefined && hasText && failCount > mostFailures;
  return looks ? byFacts(looker, `${failCount} attempts have failed before`) : bounded(facts);
}

/** Returns the decision for every possible choice of the planner. */
const decisionsOf = (known: Known): readonly Decision[] => strategyNames.map((said) => decide({ ...known, said }));

/**
 * Whether the planner is asked. Under `auto`: not when its choice cannot change the approach, nor with a model that is
 * too small to split a question, nor where an answer is tried first.
 */
export function wantsPlanner(known: Known): boolean {
  if (known.planner !== 'auto') return known.planner === 'always';
  const { can, climbs, hasParts } = known;
  return can.has('decompose') && (hasParts || !climbs) && decisionsOf(known).some(({ by }) => by === 'planner');
}

/** Chooses the cheapest sufficient approach, with the reason in a sentence. */
export function chooseApproach(facts: Facts): ApproachChoice {
  const { approach, reason } = decide(facts);
  return { approach, reason };
}

/** The approach, as far as it is known before the planner is asked. */
export interface Foreseen {
  /** Whether the planner is asked. */
  readonly isPlanned: boolean;
  /** The approach by the facts; null where only the planner decides. */
  readonly approach: StrategyName | null;
  readonly reason: string;
  /** The approaches that the planner may choose instead, or at all where the facts do not decide. */
  readonly plannerMayChoose: readonly StrategyName[];
  /** The approaches that may follow an insufficient answer, the cheapest first; `direct`: an answer from more text. */
  readonly mayClimbTo: readonly StrategyName[];
}

/**
 * Returns the steps above an answer from passages that the model is capable of; none where the whole text was read.
 */
function stepsAbove({ asked, climbs, fits, can, hasText }: Known, isPlanned: boolean, approach: StrategyName | null) {
  if (asked !== 'auto' || !climbs || isPlanned || approach === null || wayOf(approach) !== 'passages' || !hasText)
    return [];
  if (fits) return can.has('decompose') ? [] : (['direct'] as const);
  return strategyNames.filter((one) => wayOf(one) !== 'all' && can.has(one));
}

/**
 * Foresees the approach for every possible choice of the planner.
 * @param known the facts; the calls that are left include the planner's.
 */
export function foreseeApproach(known: Known): Foreseen {
  const isPlanned = wantsPlanner(known) && known.callsLeft >= callsWorthPlanning;
  const decisions = isPlanned
    ? decisionsOf({ ...known, callsLeft: known.callsLeft - 1 })
    : [decide({ ...known, said: null })];
  const reached = [...new Set(decisions.map(({ approach }) => approach))];
  const settled = decisions.find(({ by }) => by === 'facts') ?? (reached.length === 1 ? decisions[0]! : null);
  return {
    isPlanned,
    approach: settled?.approach ?? null,
    reason: settled?.reason ?? 'no measurable fact decides it',
    plannerMayChoose: reached.filter((one) => one !== settled?.approach),
    mayClimbTo: stepsAbove(known, isPlanned, settled?.approach ?? null),
  };
}
