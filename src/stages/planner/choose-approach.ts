/** What `auto` comes to. Facts that can be measured go first, then the planner's word. */
import type { Settings } from '../../config/settings.ts';
import { lookers, type Plan, type StrategyName, strategyNames, wayOf } from '../../state.ts';

/** What is known when the approach is chosen. */
export interface Facts {
  /** What the settings ask for. */
  readonly asked: StrategyName | 'auto';
  /** What the role wants where nothing is asked for; null: nothing. */
  readonly role: { readonly name: string; readonly strategy: StrategyName } | null;
  /** The planner's word; null where there was no usable reply. */
  readonly said: StrategyName | null;
  readonly hasText: boolean;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
  /** What the model is up to. */
  readonly can: ReadonlySet<StrategyName>;
  /** What the question asks of all the text, by its own words; null: nothing. */
  readonly wantsAll: string | null;
  /** Whether the question has parts, by its own form. */
  readonly hasParts: boolean;
  /** Whether the words of the question show its parts, so that code can make them and put the answers together. */
  readonly hasForm: boolean;
  /** Whether the calls that are left can read all of the text. */
  readonly isReadable: boolean;
  /** Model calls that are left for the answer. */
  readonly callsLeft: number;
  /** Whether a language model answers, which is asked for more only where less did not do. */
  readonly climbs: boolean;
  /** How often a fix was tried, and failed. */
  readonly failCount: number;
  /** When the planner is asked. */
  readonly planner: Settings['stages']['planner'];
}

/** What is known before the planner is asked. */
type Known = Omit<Facts, 'said'>;

type ApproachChoice = Pick<Plan, 'approach' | 'reason'>;

/** A choice, and whether it hangs on what the planner says. */
interface Decision extends ApproachChoice {
  readonly by: 'facts' | 'planner';
}

const byFacts = (approach: StrategyName, reason: string): Decision => ({ approach, reason, by: 'facts' });
const byPlanner = (approach: StrategyName, reason: string): Decision => ({ approach, reason, by: 'planner' });

/** With fewer ordinary calls left, planning would take the one that answers; the critic's is kept apart. */
export const callsWorthPlanning = 2;

/** A step and the call that answers: with fewer, there is nothing but to answer. */
const callsWorthChoosing = 2;

/** After more failed attempts the obvious has been tried: somebody has to look around. */
const mostFailures = 4;

/** What is left to choose where code has computed the answer: who reads all of the text takes it. */
export const settledChoice: ApproachChoice = {
  approach: 'scan',
  reason: 'code computes the answer from all of the text',
};

/** A scan is worth it where all has to be seen; who splits the question has seen more in it than its words. */
function scans({ said, wantsAll, isReadable }: Facts): Decision | null {
  if (said !== null && wayOf(said) === 'all') return byPlanner(said, 'the planner chose it');
  const isFree = said === null || wayOf(said) === 'passages';
  if (!isFree || wantsAll === null || !isReadable) return null;
  return byFacts('scan', `the question asks ${wantsAll}, by its words`);
}

const withoutPlan = (next: StrategyName): string =>
  wayOf(next) === 'passages' ? 'the model is too small to split a question' : 'there is no plan to go by';

/**
 * A model that is too small to make parts answers those that code makes one by one more rightly than all in one call
 * (docs/results.md); others hold both facts at once.
 */
const beginsWithParts = ({ can, climbs, hasForm, hasText }: Facts): boolean =>
  climbs && hasForm && hasText && !can.has('decompose');

/**
 * The planner's word, bounded by what the model can do. Without one, an answer from the best passages comes first, and
 * the ladder goes on where that does not do.
 */
function bounded(facts: Facts): Decision {
  const { said, can, hasText, climbs } = facts;
  const next = can.has('decompose') ? 'decompose' : 'direct';
  if (said === null && beginsWithParts(facts)) return byFacts('decompose', 'the question has parts by its form');
  if (said === null && climbs)
    return byPlanner('direct', hasText ? 'an answer from the best passages comes first' : 'there is no text');
  if (said === null) return byPlanner(hasText ? next : 'direct', withoutPlan(next));
  if (can.has(said)) return byPlanner(said, 'the planner chose it');
  return byPlanner(next, `the planner chose ${said}, which the model is not up to`);
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

/** What all that the planner may say comes to. */
const decisionsOf = (known: Known): readonly Decision[] => strategyNames.map((said) => decide({ ...known, said }));

/**
 * Whether the planner is wanted: where the setting leaves it open, not when no word of it changes the approach, nor of
 * a model that is too small to split a question, nor where an answer is tried first.
 */
export function wantsPlanner(known: Known): boolean {
  if (known.planner !== 'auto') return known.planner === 'always';
  const { can, climbs, hasParts } = known;
  return can.has('decompose') && (hasParts || !climbs) && decisionsOf(known).some(({ by }) => by === 'planner');
}

/** The cheapest approach that can serve, and why, in a sentence. */
export function chooseApproach(facts: Facts): ApproachChoice {
  const { approach, reason } = decide(facts);
  return { approach, reason };
}

/** What the approach will be, as far as it is known before the planner is asked. */
export interface Foreseen {
  /** Whether the planner is asked. */
  readonly isPlanned: boolean;
  /** What the facts come to; null where only the planner's word decides. */
  readonly approach: StrategyName | null;
  readonly reason: string;
  /** What the planner may choose in its place, or at all where the facts come to nothing. */
  readonly plannerMayChoose: readonly StrategyName[];
  /** What may follow, the cheapest first, where an answer from passages does not do; `direct`: one from more text. */
  readonly mayClimbTo: readonly StrategyName[];
}

/** The steps above an answer from passages that the model is up to; who has read all of the text has none. */
function stepsAbove({ asked, climbs, fits, can, hasText }: Known, isPlanned: boolean, approach: StrategyName | null) {
  if (asked !== 'auto' || !climbs || isPlanned || approach === null || wayOf(approach) !== 'passages' || !hasText)
    return [];
  if (fits) return can.has('decompose') ? [] : (['direct'] as const);
  return strategyNames.filter((one) => wayOf(one) !== 'all' && can.has(one));
}

/**
 * Goes through all that the planner may say, where it is asked.
 * @param known the facts; of the calls that are left, the planner's is one.
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
    reason: settled?.reason ?? 'no fact that can be measured settles it',
    plannerMayChoose: reached.filter((one) => one !== settled?.approach),
    mayClimbTo: stepsAbove(known, isPlanned, settled?.approach ?? null),
  };
}
