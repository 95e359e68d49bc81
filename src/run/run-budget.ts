import { kindOf, RlmError } from '../errors.ts';
import type { Budget } from './door/budget.ts';
import type { EventBody } from './events.ts';

/** What a run may spend, and whether it has to end. */
export interface RunBudget extends Budget {
  /** Aborted when ordinary work must end. */
  readonly signal: AbortSignal;
  /** Why the run may make no more ordinary calls, or null while it may. The first reason stays. */
  stopped(): RlmError | null;
}

/** After a limit or an interruption a run makes no more ordinary calls; a replay that lacks a call is no replay. */
const stops = (error: RlmError): boolean =>
  ['limit', 'interruption'].includes(kindOf(error)) || error.code === 'call-not-recorded';

/** Records the first failure that ends the run, and emits it. */
export function createStop(emit: (event: EventBody) => void) {
  let stop: RlmError | null = null;
  function watch<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      if (stop === null && error instanceof RlmError && stops(error)) {
        stop = error;
        emit({ type: 'run.stopped', error: error.toInfo() });
      }
      throw error;
    });
  }
  return { watch, stopped: () => stop };
}
