import { setImmediate } from 'node:timers/promises';

/** Returns the milliseconds since the start of the process. The global `performance` would add 2 ms to startup. */
export const now = (): number => process.uptime() * 1000;

/** Called between steps of long synchronous work. Yields to the event loop when the time slice is over. */
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
