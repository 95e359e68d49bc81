/** What `auto` comes to. Facts that can be measured go first, then the planner's word. */
import type { Plan, StrategyName } from '../state.ts';

/** Files of the text that name each other. */
export interface Links {
  /** Documents that name another one, or are named. */
  readonly documents: number;
  /** One of them and what it names, to be shown. */
  readonly example: string;
}

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
  /** What the model can do; a provider without a language model can do neither of the two. */
  readonly can: ReadonlySet<StrategyName>;
  /** Whether the question counts or lists, by its own words. */
  readonly countsOrLists: boolean;
  /** Whether the calls that are left can read all of the text. */
  readonly isReadable: boolean;
  /** Model calls that are left for the answer. */
  readonly callsLeft: number;
  /** Of all text, estimated on the safe side; more than `exploreTokens` is too much for one search. */
  readonly tokens: number;
  readonly exploreTokens: number;
  /** Null where the files are too few or do not name each other. */
  readonly links: Links | null;
  /** How often a fix was tried, and failed. */
  readonly failCount: number;
}

type Choice = Pick<Plan, 'approach' | 'reason'>;

/** A step and the call that answers: with fewer, there is nothing but to answer. */
const callsWorthChoosing = 2;

/** After more failed attempts the obvious has been tried: somebody has to look around. */
const mostFailures = 4;

/** Approaches that look around, the one with the surer steps first: a wrong tool call costs less than wrong code. */
const lookers: readonly StrategyName[] = ['explore', 'repl'];

const number = (value: number): string => value.toLocaleString('en-US');

/** Why one has to look around; null where nothing says so. */
function whyLook({ tokens, exploreTokens, links, failCount }: Facts): string | null {
  if (failCount > mostFailures) return `${failCount} attempts have failed before`;
  if (tokens > exploreTokens) return `the text has about ${number(tokens)} tokens, more than ${number(exploreTokens)}`;
  return links && `${links.documents} documents refer to each other, such as ${links.example}`;
}

/** A scan is worth it where all has to be seen; who splits the question has seen more in it than its words. */
function scans({ said, countsOrLists, isReadable }: Facts): string | null {
  if (said === 'scan') return 'the planner chose it';
  const isFree = said === null || said === 'direct';
  return isFree && countsOrLists && isReadable ? 'the question asks to count or to list, by its words' : null;
}

/** The planner's word, bounded by what the model can do. */
function bounded({ said, can, hasText }: Facts): Choice {
  if (said === null) {
    const approach = hasText ? 'decompose' : 'direct';
    return { approach, reason: 'there is no plan to go by' };
  }
  if (can.has(said)) return { approach: said, reason: 'the planner chose it' };
  return { approach: 'decompose', reason: `the planner chose ${said}, which the model is not up to` };
}

/** The cheapest approach that can serve, and why, in a sentence. */
export function chooseApproach(facts: Facts): Choice {
  const { asked, role, said, hasText, fits, can, callsLeft } = facts;
  if (asked !== 'auto') return { approach: asked, reason: 'asked for by --strategy' };
  if (fits && hasText) return { approach: 'direct', reason: 'the whole text fits one prompt' };
  if (role !== null && can.has(role.strategy))
    return { approach: role.strategy, reason: `the role ${role.name} prefers it` };
  const looker = lookers.find((one) => can.has(one));
  const isOpen = looker !== undefined && callsLeft >= callsWorthChoosing;
  if (!isOpen && said !== null) return bounded(facts);
  if (callsLeft < callsWorthChoosing) return { approach: 'direct', reason: 'too few calls are left for another way' };
  const scan = hasText ? scans(facts) : null;
  if (scan !== null) return { approach: 'scan', reason: scan };
  const look = looker === undefined || !hasText ? null : whyLook(facts);
  return look === null ? bounded(facts) : { approach: looker!, reason: look };
}
