import { kindOf, RlmError } from '../errors.ts';
import type { Budget } from './door/budget.ts';
import type { EventBody } from './events.ts';

/** The budget of a run, and whether the run has to end. */
export interface RunBudget extends Budget {
  /** Aborted when ordinary work must end. */
  readonly signal: AbortSignal;
  /** Why the run may make no more ordinary calls, or null while it may. Later reasons do not replace the first. */
  stopped(): RlmError | null;
}

/** Whether an error ends the run: a limit, an interruption, or a replay whose recording lacks a call. */
const stops = (error: RlmError): boolean =>
  ['limit', 'interruption'].includes(kindOf(error)) || error.code === 'call-not-recorded';

/** Creates the wrapper that records the first failure that ends the run, and emits it. */
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
