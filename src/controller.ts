/**
 * START HERE. A run is four stages in order: planner, retriever, reasoner, critic. Each adds its fields to the state
 * (state.ts). `refine` may follow the reasoner, and `form` may follow the critic. The prompts are in prompts/, the
 * recursion is in stages/reasoner.ts and strategies/decompose.ts, and calls to a model go through run/door/door.ts.
 */
import { now } from './base/time.ts';
import { RlmError } from './errors.ts';
import type { StageName } from './run/events.ts';
import type { Run } from './run/run.ts';
import { critique } from './stages/critic.ts';
import { plan } from './stages/planner.ts';
import { reason } from './stages/reasoner.ts';
import { refine } from './stages/refine.ts';
import { retrieve, type Stage } from './stages/retriever.ts';
import type { Critiqued, Formed, Interrupted, TaskState } from './state.ts';

/** The outcome of a run: complete, or stopped early. */
export type Outcome = Formed | Interrupted;

/** Answers a task. Rejects only on bugs, because an RlmError becomes a part of the outcome. */
export async function runTask(task: TaskState, run: Run): Promise<Outcome> {
  let reached = task;
  async function enter<In extends TaskState, Out extends In>(name: StageName, stage: Stage<In, Out>, state: In) {
    run.events.emit({ type: 'stage.started', stage: name });
    const startedAt = now();
    const next = await stage(state, run);
    run.events.emit({ type: 'stage.completed', stage: name, timeMs: Math.round(now() - startedAt) });
    reached = next;
    return next;
  }

  async function enterForm(critiqued: Critiqued): Promise<Formed> {
    if (run.schema === null) return { ...critiqued, form: null };
    const { fillForm } = await import('./stages/form.ts');
    return enter('form', fillForm(run.schema), critiqued);
  }

  try {
    const planned = await enter('planner', plan, task);
    run.events.emit({ type: 'plan', plan: planned.plan });
    const retrieved = await enter('retriever', retrieve, planned);
    const reasoned = await enter('reasoner', reason, retrieved);
    const refined = await refine(reasoned, run);
    return await enterForm(await enter('critic', critique, refined));
  } catch (error) {
    if (!(error instanceof RlmError)) throw error;
    return { state: reached, stopped: error.toInfo() };
  }
}
