import { onAbort } from '../../base/abort.ts';
import { RlmError } from '../../errors.ts';
import { type Budget, outOfTime, type Share } from './budget.ts';

/** The signals that end calls: aborted by the user, or when the share's time ends. */
export interface Deadlines {
  readonly signals: Readonly<Record<Share, AbortSignal>>;
  /** Stops the timers. */
  close(): void;
}

function createDeadline(user: AbortSignal, timeLeftMs: number, error: RlmError) {
  const controller = new AbortController();
  const abort = () => {
    const { reason } = user;
    controller.abort(reason instanceof RlmError ? reason : new RlmError('interrupted', 'the run was cancelled'));
  };
  if (user.aborted) abort();
  const stopListening = onAbort(user, abort);
  const timer = setTimeout(() => controller.abort(error), timeLeftMs);
  const close = () => {
    clearTimeout(timer);
    stopListening();
  };
  return { signal: controller.signal, close };
}

/** @param user aborted when the user cancels. */
export function createDeadlines(user: AbortSignal, budget: Budget, wallTimeMs: number): Deadlines {
  const deadline = (share: Share) => createDeadline(user, budget.timeLeftMs(share), outOfTime(wallTimeMs));
  const [ordinary, kept] = [deadline('ordinary'), deadline('kept')];
  return {
    signals: { ordinary: ordinary.signal, kept: kept.signal },
    close() {
      ordinary.close();
      kept.close();
    },
  };
}
