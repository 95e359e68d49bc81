import type { Run } from '../run/run.ts';

/** One step of a run: takes the state so far and adds its slice. */
export type Stage<In, Out extends In> = (state: In, run: Run) => Promise<Out>;
