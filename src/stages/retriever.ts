import type { Run } from '../run/run.ts';
import { type Planned, type Retrieved, wayOf } from '../state.ts';
import { queryFor } from '../strategies/direct.ts';
import { takenBy } from '../strategies/strategy.ts';

/** One step of a run. */
export type Stage<In, Out extends In> = (state: In, run: Run) => Promise<Out>;

/** The path of the searches for the whole task. */
export const retrieverPath = 'retriever';

/** Whether the run has no language model, and code may compute the answer from records. */
async function mayBeComputed({ models, text }: Run): Promise<boolean> {
  if (models.info('answer', '0').spends !== 'nothing') return false;
  const { holdsRecords } = await import('../query/records/index.ts');
  return holdsRecords(text.store);
}

/** Finds the passages for the whole task. A strategy that reads the whole text needs none. */
export const retrieve: Stage<Planned, Retrieved> = async (state, run) => ({
  ...state,
  context:
    wayOf(state.plan.approach) === 'all' && run.text.store.documents.length > 0
      ? []
      : await run.passages.find({
          query: queryFor([state.task, ...state.plan.requiredInformation].join('\n'), state.earlier),
          takenBytes: takenBy({ known: state.earlier }),
          path: retrieverPath,
          isQuiet: await mayBeComputed(run),
        }),
});
