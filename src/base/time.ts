import { setImmediate } from 'node:timers/promises';

/**
 * Milliseconds on a clock that never goes back, from the start of the process. The global `performance` says the same
 * and makes Node load a module that costs a start 2 ms.
 */
export const now = (): number => process.uptime() * 1000;

/** Called between steps of long synchronous work: lets the event loop turn once when its time slice is over. */
export type Pacer = () => Promise<void> | undefined;

/** A pacer with slices of `sliceMs` milliseconds: timers, signals and other tasks are never kept waiting longer. */
export function createPacer(sliceMs: number): Pacer {
  let end = now() + sliceMs;
  const rest = async () => {
    await setImmediate();
    end = now() + sliceMs;
  };
  return () => (now() < end ? undefined : rest());
}
