import { setImmediate } from 'node:timers/promises';

/** Returns the milliseconds since the start of the process. The global `performance` costs 2 ms at the start. */
export const now = (): number => process.uptime() * 1000;

/** Call it between steps of long synchronous work: it lets the event loop turn when the time slice is over. */
export type Pacer = () => Promise<void> | undefined;

/** Creates a pacer with slices of `sliceMs` milliseconds. */
export function createPacer(sliceMs: number): Pacer {
  let end = now() + sliceMs;
  const rest = async () => {
    await setImmediate();
    end = now() + sliceMs;
  };
  return () => (now() < end ? undefined : rest());
}
