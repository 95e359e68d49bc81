import { setImmediate } from 'node:timers/promises';
import { now } from './clock.ts';

/** Called between steps of long synchronous work: lets the event loop turn once when its time slice is over. */
export type Pacer = () => Promise<void> | undefined;

/**
 * A pacer with slices of `sliceMs` milliseconds, so that timers, signals and other tasks are never kept waiting
 * longer.
 */
export function createPacer(sliceMs: number): Pacer {
  let end = now() + sliceMs;
  const rest = async () => {
    await setImmediate();
    end = now() + sliceMs;
  };
  return () => (now() < end ? undefined : rest());
}
