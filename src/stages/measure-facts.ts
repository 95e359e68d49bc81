import type { Budget } from '../run/budget.ts';
import type { Run } from '../run/run.ts';
import { tokensOf } from '../run/window.ts';
import { type StrategyName, strategyNames } from '../state.ts';
import type { Facts } from './choose-approach.ts';
import { linkedDocuments } from './linked-documents.ts';

const countsOrLists =
  /\bhow (?:many|often)\b|\b(?:count|enumerate|list|name|find|show|give)(?: me)? (?:all|each|every)\b|\bcount (?:the|how)\b/i;

/** Names of models that are made to write code: codestral, deepseek-coder, qwen2.5-coder … */
const writesCode = /cod(?:e|er|ex|ing|estral)(?![a-z])|devstral/i;

/** What is measured: a run, or what is known of one before it begins. */
export interface Measurable extends Pick<Run, 'settings' | 'store' | 'fits' | 'role' | 'modelInfo' | 'roomFor'> {
  readonly budget: Pick<Budget, 'callsLeft'>;
}

/**
 * What the model that answers the root is up to. To explore takes calls of tools, or replies of a given form; code can be
 * written in plain words, but takes a model that is made for it, or one that was taught tools, which are as strict.
 */
function abilities({ modelInfo }: Measurable): ReadonlySet<StrategyName> {
  const { model, spends, tools, structuredOutput } = modelInfo('explore', '0');
  const isModel = spends !== 'nothing';
  const can: Partial<Record<StrategyName, boolean>> = {
    explore: isModel && (tools || structuredOutput),
    repl: isModel && (tools || writesCode.test(model)),
  };
  return new Set(strategyNames.filter((name) => can[name] ?? true));
}

/** Whether the calls that are left can read all of the text, and compose the answer. */
function isReadable({ store, budget, roomFor }: Measurable): boolean {
  return store.totalBytes / Math.max(1, roomFor('scan', '0')) < budget.callsLeft('ordinary') - 1;
}

/**
 * Measures what decides on the approach to a task, besides the planner's word; of the text only the beginnings of files,
 * and only where it does not fit.
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
    tokens: tokensOf(store.totalBytes),
    exploreTokens: auto.exploreTokens,
    links: isOpen ? linkedDocuments(store) : null,
    failCount,
  };
}
