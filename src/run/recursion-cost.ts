import type { Settings } from '../config/settings.ts';
import { worstCase } from './door/asked.ts';
import type { Budget } from './door/budget.ts';
import { depthOf, modelName, type RunModel } from './roster.ts';

/**
 * The warning before a paid model is asked below the root, where calls multiply. Null where the worst-case cost stays
 * within `budget.warnCost`.
 * @param calls calls that the run can still make.
 */
export function recursionWarning(model: RunModel, calls: number, settings: Settings): string | null {
  if (model.info.spends !== 'money' || calls === 0) return null;
  const { warnCost } = settings.budget;
  const usd = calls * worstCase(model, settings).usd;
  if (model.price !== null && usd <= warnCost) return null;
  const most = model.price === null ? 'an unknown sum, because the price is unknown' : `up to $${usd.toFixed(2)}`;
  return `questions below the root go to ${modelName(model)}: ${calls} more calls can cost ${most} (budget.warnCost is $${warnCost}; limit it with --max-cost)`;
}

/** Creates the function that warns once per paid model, before the model is first asked below the root. */
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
