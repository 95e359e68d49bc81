import { tokensOf, weightOf } from '../context/text-size.ts';
import type { Budget } from '../run/door/budget.ts';
import type { Run } from '../run/run.ts';
import { strategiesFor, testedOf } from '../run/up-to.ts';
import type { StrategyName } from '../state.ts';
import type { Facts } from './choose-approach.ts';
import { linkedDocuments } from './linked-documents.ts';

const countsOrLists =
  /\bhow (?:many|often)\b|\b(?:count|enumerate|list|name|find|show|give)(?: me)? (?:all|each|every)\b|\bcount (?:the|how)\b/i;

/** What is measured: a run, or what is known of one before it begins. */
export interface Measurable extends Pick<Run, 'settings' | 'store' | 'fits' | 'role' | 'modelInfo' | 'roomFor'> {
  readonly budget: Pick<Budget, 'callsLeft'>;
}

/** What the model that answers the root is up to. Without a language model there is nobody to look around. */
function abilities({ modelInfo }: Measurable): ReadonlySet<StrategyName> {
  const info = modelInfo('explore', '0');
  if (info.spends === 'nothing') return new Set(['direct', 'decompose', 'scan']);
  return strategiesFor(testedOf(info));
}

/** Whether the calls that are left can read all of the text, and compose the answer. */
function isReadable({ store, budget, roomFor }: Measurable): boolean {
  return weightOf(store) / Math.max(1, roomFor('scan', '0')) < budget.callsLeft('ordinary') - 1;
}

/**
 * Measures what decides on the approach to a task, besides the planner's word; of the text only the beginnings of
 * files, and only where it does not fit.
 */
export function measureFacts(task: string, run: Measurable): Omit<Facts, 'said'> {
  const { settings, store, fits, role } = run;
  const { strategy: asked, auto, failCount } = settings;
  const isOpen = asked === 'auto' && !fits;
  return {
    asked,
    role: role?.strategy ? { name: role.name, strategy: role.strategy } : null,
    hasText: store.chunkCount > 0,
    fits,
    can: abilities(run),
    countsOrLists: countsOrLists.test(task),
    isReadable: isReadable(run),
    callsLeft: run.budget.callsLeft('ordinary'),
    tokens: tokensOf(weightOf(store)),
    exploreTokens: auto.exploreTokens,
    links: isOpen ? linkedDocuments(store) : null,
    failCount,
    planner: settings.stages.planner,
  };
}
