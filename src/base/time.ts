import { setImmediate } from 'node:timers/promises';

/** Returns the milliseconds since the start of the process. The global `performance` would add 2 ms to startup. */
export const now = (): number => process.uptime() * 1000;

/** A function to call between steps of long work. It yields to the event loop when its time slice is over. */
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
