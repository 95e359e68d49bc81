import type { Planned, Retrieved } from '../state.ts';
import type { Stage } from './stage.ts';

/** Finds the passages for the whole task. Sub-questions find their own. */
export const retrieve: Stage<Planned, Retrieved> = async (state, run) => ({
  ...state,
  context: await run.retrieve([state.task, ...state.plan.requiredInformation].join('\n')),
});
