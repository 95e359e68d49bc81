import type { Budget } from '../../run/door/budget.ts';
import type { RunModels } from '../../run/door/serve.ts';
import type { Run } from '../../run/run.ts';
import type { RunText } from '../../run/text/run-text.ts';
import { strategiesFor, testedOf } from '../../run/up-to.ts';
import { type StrategyName, strategyNames, wayOf } from '../../state.ts';
import type { ApproachFacts } from './choose-approach.ts';

/** What is measured: a run, or what is known about it before it begins. */
export interface Measurable extends Pick<Run, 'settings' | 'role'> {
  readonly text: Pick<RunText, 'store' | 'fits'>;
  readonly models: Pick<RunModels, 'info'>;
  readonly budget: Pick<Budget, 'callsLeft'>;
}

/** Returns the strategies that the root's model is capable of. Without a language model nothing can explore. */
function abilities({ models }: Measurable): ReadonlySet<StrategyName> {
  const info = models.info('explore', '0');
  if (info.spends === 'nothing') return new Set(strategyNames.filter((one) => wayOf(one) !== 'steps'));
  return strategiesFor(testedOf(info));
}

/** Measures the facts that decide on the approach to a task, except the planner's choice. */
export function measureFacts(run: Measurable): Omit<ApproachFacts, 'said'> {
  const { settings, role } = run;
  const { store, fits } = run.text;
  return {
    asked: settings.strategy,
    role: role?.strategy ? { name: role.name, strategy: role.strategy } : null,
    hasText: store.chunkCount > 0,
    fits,
    can: abilities(run),
    callsLeft: run.budget.callsLeft('ordinary'),
    climbs: run.models.info('answer', '0').spends !== 'nothing',
    failCount: settings.failCount,
    planner: settings.stages.planner,
  };
}
