import type { Reply } from '../prompts/index.ts';
import type { Run } from '../run/run.ts';
import { type Plan, type Planned, type StrategyName, strategyNames, type TaskState } from '../state.ts';
import { isForgivable } from '../strategies/forgivable.ts';
import type { Stage } from './stage.ts';

/** With fewer ordinary calls left, planning would take the one that answers; the critic's is kept apart. */
const callsWorthPlanning = 2;

/** The cheapest approach that can serve, and why: what the user says, else whether the text fits, else the planner's word. */
function chooseApproach(said: StrategyName, run: Run): Pick<Plan, 'approach' | 'reason'> {
  const { strategy } = run.settings;
  if (strategy !== 'auto') return { approach: strategy, reason: 'asked for by --strategy' };
  if (run.fits && run.documents.length > 0) return { approach: 'direct', reason: 'the whole text fits one prompt' };
  return { approach: said, reason: 'the planner chose it' };
}

function planFrom(reply: Reply<'planner'>, run: Run): Plan {
  const { taskDecomposition, keyQuestions, requiredInformation, successCriteria, approach } = reply;
  return { ...chooseApproach(approach, run), taskDecomposition, keyQuestions, requiredInformation, successCriteria };
}

/** The plan of a run that has no planner's reply: nothing to go by but the settings. */
function barePlan(run: Run): Plan {
  const bare = { taskDecomposition: [], keyQuestions: [], requiredInformation: [], successCriteria: [] };
  return { ...chooseApproach('direct', run), ...bare };
}

/** Plans the task. A planner that gives no usable reply is done without, and the run says so. */
export const plan: Stage<TaskState, Planned> = async (state, run) => {
  const calls = run.budget.callsLeft('ordinary');
  if (calls < callsWorthPlanning) {
    run.warn('too few calls are left for planning; the question is answered without a plan');
    return { ...state, plan: barePlan(run) };
  }
  const budget = { calls, levels: run.settings.budget.maxDepth };
  const variables = { task: state.task, documents: run.description, approaches: strategyNames, budget };
  try {
    const reply = await run.ask('planner', variables, { path: 'planner', share: 'ordinary' });
    return { ...state, plan: planFrom(reply, run) };
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.warn(`${error.message}; going on without a plan`);
    return { ...state, plan: barePlan(run) };
  }
};
