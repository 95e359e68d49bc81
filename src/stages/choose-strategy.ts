/** Chooses the strategies for the root, for the step after its first look, and for the questions below the root. */

import { isRepeated } from '../context/words/same-question.ts';
import { isForgivable } from '../errors.ts';
import type { ModelInfo } from '../providers/provider.ts';
import type { Budget } from '../run/door/budget.ts';
import type { RunModels } from '../run/door/serve.ts';
import { strategiesFor } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import type { RunText } from '../run/text/run-text.ts';
import {
  type Assessment,
  type LadderStep,
  lookers,
  type Plan,
  type StrategyName,
  stepOf,
  strategyNames,
  wayOf,
} from '../state.ts';
import { allotmentLeft, budgetLeft, type Draft, type Question } from '../strategies/strategy.ts';

/** The facts that are known before the planner is asked. */
export type Known = ReturnType<typeof measureFacts>;

/** The facts and the planner's choice. `said` is null if the planner was not asked, or gave no usable reply. */
export type ApproachFacts = Known & { readonly said: StrategyName | null };

type ApproachChoice = Pick<Plan, 'approach' | 'reason'>;

/** The planner is asked only if at least this many ordinary calls are left: its own call, and one for the answer. */
export const callsWorthPlanning = 2;

/** A strategy other than direct needs at least this many calls: a step and the answering call. */
const callsWorthChoosing = 2;

/** After more failed attempts than this, the text is explored with tools or code. */
const mostFailures = 4;

function planned(said: StrategyName, { can }: Known): ApproachChoice {
  if (can.has(said)) return { approach: said, reason: 'the planner chose it' };
  const approach = can.has('decompose') ? 'decompose' : 'direct';
  return { approach, reason: `the planner chose ${said}, which the model is not capable of` };
}

/** Chooses by the first fact that decides: --strategy, text size, role, calls left, planner, failed attempts. */
export function chooseApproach({ said, ...known }: ApproachFacts): ApproachChoice {
  const { asked, role, hasText, fits, climbs, can, callsLeft, failCount } = known;
  if (asked !== 'auto') return { approach: asked, reason: 'asked for by --strategy' };
  // Without a language model, a question may be split although the text fits: splitting costs no call.
  if (fits && hasText && climbs) return { approach: 'direct', reason: 'the whole text fits one prompt' };
  if (role !== null && can.has(role.strategy))
    return { approach: role.strategy, reason: `the role ${role.name} prefers it` };
  if (callsLeft < callsWorthChoosing) return { approach: 'direct', reason: 'too few calls are left for another way' };
  if (said !== null) return planned(said, known);
  const looker = lookers.find((one) => can.has(one));
  if (looker !== undefined && hasText && failCount > mostFailures)
    return { approach: looker, reason: `${failCount} attempts have failed before` };
  return { approach: 'direct', reason: hasText ? 'an answer from the best passages comes first' : 'there is no text' };
}

/** Whether to ask the planner. `always`: yes. `auto`: only if no language model answers and --strategy is `auto`. */
export const wantsPlanner = ({ planner, climbs, asked }: Known): boolean =>
  planner === 'always' || (planner === 'auto' && !climbs && asked === 'auto');

/** The approach, as far as it can be known before the planner is asked. */
export type Foreseen = ReturnType<typeof foreseeApproach>;

function stepsAbove({ asked, climbs, fits, can, hasText }: Known, approach: StrategyName | null) {
  if (asked !== 'auto' || !climbs || approach === null || wayOf(approach) !== 'passages' || !hasText || fits) return [];
  const above = strategyNames.filter((one) => wayOf(one) !== 'passages' && can.has(one));
  return above.some((one) => wayOf(one) !== 'all') ? above : (['direct'] as const);
}

/** Foresees the approach for every possible choice of the planner. The planner's call reduces the calls left. */
export function foreseeApproach(known: Known) {
  const isPlanned = wantsPlanner(known) && known.callsLeft >= callsWorthPlanning;
  const callsLeft = known.callsLeft - (isPlanned ? 1 : 0);
  const choices = (isPlanned ? strategyNames : [null]).map((said) => chooseApproach({ ...known, callsLeft, said }));
  const reached = [...new Set(choices.map(({ approach }) => approach))];
  const settled = reached.length === 1 ? choices[0]! : null;
  return {
    isPlanned,
    /** Null if the planner decides. */
    approach: settled?.approach ?? null,
    reason: settled?.reason ?? 'no measurable fact decides it',
    /** The approaches to which the planner's choice may lead; empty if the facts decide. */
    plannerMayChoose: reached.filter((one) => one !== settled?.approach),
    /** The approaches that may follow a first look, cheapest first. `direct` is a second look, at more of the text. */
    mayClimbTo: isPlanned ? [] : stepsAbove(known, settled?.approach ?? null),
  };
}

/** The parts of a run that are known before it begins. */
interface Measurable extends Pick<Run, 'settings' | 'role'> {
  readonly text: Pick<RunText, 'fits'> & { readonly store: Pick<RunText['store'], 'chunkCount'> };
  readonly models: Pick<RunModels, 'info'>;
  readonly budget: Pick<Budget, 'callsLeft'>;
}

/** Whether a language model answers. If not, the provider only quotes the text. */
export const usesModel = ({ models }: Pick<Measurable, 'models'>): boolean =>
  models.info('answer', '0').spends !== 'nothing';

/** Measures the facts that decide on the approach to a task, except the planner's choice. */
export function measureFacts({ settings, role, text, models, budget }: Measurable) {
  const explorer = models.info('explore', '0');
  // Without a language model, no strategy can work step by step.
  const withoutModel = new Set(strategyNames.filter((one) => wayOf(one) !== 'steps'));
  return {
    asked: settings.strategy,
    /** The role and the strategy that it prefers under `auto`; null if it prefers none. */
    role: role?.strategy ? { name: role.name, strategy: role.strategy } : null,
    hasText: text.store.chunkCount > 0,
    fits: text.fits,
    can: explorer.spends === 'nothing' ? withoutModel : strategiesFor(explorer),
    callsLeft: budget.callsLeft('ordinary'),
    /** Whether a language model answers. Without one, no step can follow a first look. */
    climbs: usesModel({ models }),
    failCount: settings.failCount,
    planner: settings.stages.planner,
  };
}

/** A step with its strategy. */
export interface StrategyChoice {
  readonly step: LadderStep;
  readonly strategy: StrategyName;
  readonly reason: string;
  readonly assessment: Assessment | null;
}

/** Splitting needs at least this many calls: two parts, each assessed and answered. */
const callsWorthSplitting = 4;

/** Returns a choice that was made from facts, without an assessment. */
export const chosen = (strategy: StrategyName, reason: string, step = stepOf(strategy)): StrategyChoice => ({
  ...{ step, strategy, reason, assessment: null },
});

/** Chooses to answer directly. Warns once per run, because the tree shows which questions are affected. */
function tooFew(run: Run, assessment: Assessment | null): StrategyChoice {
  run.events.warn(
    'answered-directly',
    'questions that might have been split were answered directly: too few calls are left (budget.maxCalls)',
  );
  return { ...chosen('direct', 'too few calls are left to split it'), assessment };
}

async function chooseByAssessment(question: Question, run: Run): Promise<StrategyChoice> {
  if (question.depth >= run.settings.budget.maxDepth) return chosen('direct', 'the depth limit is reached');
  if (isRepeated(question.question, question.ancestors)) return chosen('direct', 'a question above asked the same');
  if (allotmentLeft(question, run) < 2) return tooFew(run, null);
  const assessment = await assess(question, run);
  if (assessment === null) return chosen('direct', 'it could not be assessed');
  const isComplex = assessment.verdict === 'COMPLEX';
  if (isComplex && allotmentLeft(question, run) < callsWorthSplitting) return tooFew(run, assessment);
  const reason = assessment.reason || `judged ${assessment.verdict}`;
  return { ...chosen(isComplex ? 'decompose' : 'direct', reason), assessment };
}

/** Asks whether a question is simple or complex. Null if the call fails. */
async function assess(asked: Question, run: Run): Promise<Assessment | null> {
  const { question, known, path } = asked;
  try {
    return await run.ask('assess', { question, known, budget: budgetLeft(asked, run) }, { path, share: 'ordinary' });
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.events.warn('answered-directly', `${error.message}; "${question}" is answered directly`);
    return null;
  }
}

/** Returns the plan's approach, or `direct` if the depth limit or the budget does not allow splitting. */
export function chooseForRoot(root: Question, { approach, reason }: Plan, run: Run): StrategyChoice {
  if (wayOf(approach) !== 'parts') return chosen(approach, reason);
  if (run.settings.budget.maxDepth === 0) return chosen('direct', 'the depth limit is 0');
  return root.allotment < callsWorthSplitting ? tooFew(run, null) : chosen(approach, reason);
}

interface ChildOrigin {
  /** Whether the question is about a separate text. */
  readonly ownText: boolean;
  readonly explores: boolean;
  /** Whether a tool call or the model's code asked the question. Such a question is not split. */
  readonly isQuery: boolean;
}

/** Chooses how a question below the root is answered. If its origin does not decide, a call assesses the question. */
export async function chooseForChild(
  asked: Question,
  { ownText, explores, isQuery }: ChildOrigin,
  run: Run,
): Promise<StrategyChoice> {
  const { question, ancestors, allotment } = asked;
  if (ownText && run.text.fits) return chosen('direct', 'its part of the text fits one prompt');
  if (explores && allotment >= callsWorthChoosing && !isRepeated(question, ancestors))
    return chosen('explore', 'the setting reasoner.childTools has the value "full"');
  return isQuery ? chosen('direct', 'a step of the parent question asked it') : chooseByAssessment(asked, run);
}

/** Returns the strategy that continues from a first look; null if the model is capable of none. */
export function chooseNext({ needsAll, missing }: Draft, run: Run): StrategyName | null {
  const can = strategiesFor(run.models.info('explore', '0'));
  const [explore, repl] = lookers;
  // Code is best for reading the whole text. Tools are best for finding what is missing.
  const order: readonly (StrategyName | undefined)[] = needsAll ? [repl, 'scan'] : [explore, repl];
  const splits = missing.length > 0 && can.has('decompose') && run.settings.budget.maxDepth > 0;
  return order.find((one) => one !== undefined && can.has(one)) ?? (splits ? 'decompose' : null);
}

/** Returns the strategy that looks for what is missing with tools or code; null if the model is capable of none. */
export function followingStrategy(info: ModelInfo): StrategyName | null {
  if (info.spends === 'nothing') return null;
  const can = strategiesFor(info);
  return lookers.find((one) => can.has(one)) ?? null;
}
