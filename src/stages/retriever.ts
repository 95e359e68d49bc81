import type { Planned, Retrieved } from '../state.ts';
import type { Stage } from './stage.ts';

/** The place of the searches for the whole task. */
export const retrieverPath = 'retriever';

/** Finds the passages for the whole task. Sub-questions find their own, and who reads all of the text needs none. */
export const retrieve: Stage<Planned, Retrieved> = async (state, run) => ({
  ...state,
  context:
    state.plan.approach === 'scan' && run.documents.length > 0
      ? []
      : await run.retrieve({ query: [state.task, ...state.plan.requiredInformation].join('\n'), path: retrieverPath }),
});
