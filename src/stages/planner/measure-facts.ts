import { asksMeasure } from '../../context/counting/measures.ts';
import { weightOf } from '../../context/text-size.ts';
import type { Budget } from '../../run/door/budget.ts';
import type { Run } from '../../run/run.ts';
import type { RunModels } from '../../run/run-models.ts';
import type { RunText } from '../../run/text/run-text.ts';
import { strategiesFor, testedOf } from '../../run/up-to.ts';
import { type StrategyName, strategyNames, wayOf } from '../../state.ts';
import { readForm } from '../../strategies/by-form/form.ts';
import type { Facts } from './choose-approach.ts';

const countsOrLists =
  /\bhow (?:many|often)\b|\b(?:count|enumerate|list|name|find|show|give)(?: me)? (?:all|each|every)\b|\bcount (?:the|how)\b/i;

const sumsUp =
  /\bsummar(?:y|i[sz]e)\b|\boverview of\b|\bmain (?:points|topics|themes|ideas)\b|\bwhat (?:is|are) (?:this|these|the) (?:text|documents?|files?|book|report|notes) about\b/i;

/** What a question asks of all the text, by its words; null: nothing. */
function allThat(task: string): string | null {
  if (countsOrLists.test(task) && !asksMeasure(task)) return 'to count or to list';
  return sumsUp.test(task) ? 'to sum up' : null;
}

/** Whether a question has parts by its own form: several questions, or a question word behind an "and". */
const hasParts = (task: string): boolean =>
  (task.match(/[?？]/g) ?? []).length > 1 ||
  /(?:,|;|\band|\bor)\s{1,3}(?:who|whom|whose|what|which|when|where|why|how)\b/i.test(task);

/** Whether two questions or a comparison stand in the question, and may be asked by themselves. */
function hasForm(task: string, { settings }: Measurable): boolean {
  const kind = settings.budget.maxDepth > 0 ? readForm(task)?.kind : undefined;
  return kind === 'join' || kind === 'compare';
}

/** What is measured: a run, or what is known of one before it begins. */
export interface Measurable extends Pick<Run, 'settings' | 'role'> {
  readonly text: Pick<RunText, 'store' | 'fits'>;
  readonly models: Pick<RunModels, 'info' | 'roomFor'>;
  readonly budget: Pick<Budget, 'callsLeft'>;
}

/** What the model that answers the root is up to. Without a language model there is nobody to look around. */
function abilities({ models }: Measurable): ReadonlySet<StrategyName> {
  const info = models.info('explore', '0');
  if (info.spends === 'nothing') return new Set(strategyNames.filter((one) => wayOf(one) !== 'steps'));
  return strategiesFor(testedOf(info));
}

/** Whether the calls that are left can read all of the text, and compose the answer. */
function isReadable({ text, budget, models }: Measurable): boolean {
  return weightOf(text.store) / Math.max(1, models.roomFor('scan', '0')) < budget.callsLeft('ordinary') - 1;
}

/** Measures what decides on the approach to a task, besides the planner's word. */
export function measureFacts(task: string, run: Measurable): Omit<Facts, 'said'> {
  const { settings, role } = run;
  const { store, fits } = run.text;
  const { strategy: asked, failCount } = settings;
  return {
    asked,
    role: role?.strategy ? { name: role.name, strategy: role.strategy } : null,
    hasText: store.chunkCount > 0,
    fits,
    can: abilities(run),
    wantsAll: allThat(task),
    hasParts: hasParts(task),
    hasForm: hasForm(task, run),
    isReadable: isReadable(run),
    callsLeft: run.budget.callsLeft('ordinary'),
    climbs: run.models.info('answer', '0').spends !== 'nothing',
    failCount,
    planner: settings.stages.planner,
  };
}
