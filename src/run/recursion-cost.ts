import type { Settings } from '../config/settings.ts';
import { worstCase } from './door/asked.ts';
import type { Budget } from './door/budget.ts';
import { depthOf, modelName, type RunModel } from './roster.ts';

/**
 * What is said before a model that costs money is asked below the root, where calls multiply; null where at worst it
 * comes to no more than the setting allows.
 * @param calls those that the run can still make.
 */
export function recursionWarning(model: RunModel, calls: number, settings: Settings): string | null {
  if (model.info.spends !== 'money' || calls === 0) return null;
  const { warnCost } = settings.budget;
  const usd = calls * worstCase(model, settings).usd;
  if (model.price !== null && usd <= warnCost) return null;
  const most = model.price === null ? 'to a sum that is not known, as its price is not' : `to $${usd.toFixed(2)}`;
  return `questions below the root go to ${modelName(model)}: ${calls} more calls come ${most} at worst (budget.warnCost is $${warnCost}; limit it with --max-cost)`;
}

/** Makes the function that warns once of each such model, before it is first asked below the root. */
export function createRecursionWarning(
  settings: Settings,
  budget: Budget,
  warn: (message: string) => void,
): (model: RunModel, path: string) => void {
  const seen = new Set<string>();
  return (model, path) => {
    const name = modelName(model);
    if (depthOf(path) === 0 || seen.has(name)) return;
    seen.add(name);
    const warning = recursionWarning(model, budget.callsLeft('kept'), settings);
    if (warning !== null) warn(warning);
  };
}
