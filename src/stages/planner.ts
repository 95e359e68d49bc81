import type { Reply } from '../prompts/index.ts';
import type { Run } from '../run/run.ts';
import { type Plan, type Planned, strategyNames, type TaskState } from '../state.ts';
import { isForgivable } from '../strategies/forgivable.ts';
import { chooseApproach } from './choose-approach.ts';
import { measureFacts } from './measure-facts.ts';
import type { Stage } from './stage.ts';

/** With fewer ordinary calls left, planning would take the one that answers; the critic's is kept apart. */
const callsWorthPlanning = 2;

function planFrom(task: string, reply: Reply<'planner'>, run: Run): Plan {
  const { taskDecomposition, keyQuestions, requiredInformation, successCriteria, approach } = reply;
  const choice = chooseApproach(measureFacts(task, approach, run));
  return { ...choice, taskDecomposition, keyQuestions, requiredInformation, successCriteria };
}

/** The plan of a run that has no planner's reply: nothing to go by but the settings and the facts. */
function barePlan(task: string, run: Run): Plan {
  const bare = { taskDecomposition: [], keyQuestions: [], requiredInformation: [], successCriteria: [] };
  return { ...chooseApproach(measureFacts(task, null, run)), ...bare };
}

/** Plans the task. A planner that gives no usable reply is done without, and the run says so. */
export const plan: Stage<TaskState, Planned> = async (state, run) => {
  const calls = run.budget.callsLeft('ordinary');
  if (calls < callsWorthPlanning) {
    run.warn('too few calls are left for planning; the question is answered without a plan');
    return { ...state, plan: barePlan(state.task, run) };
  }
  const budget = { calls, levels: run.settings.budget.maxDepth };
  const variables = { task: state.task, documents: run.description, approaches: strategyNames, budget };
  try {
    const reply = await run.ask('planner', variables, { path: 'planner', share: 'ordinary' });
    return { ...state, plan: planFrom(state.task, reply, run) };
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.warn(`${error.message}; going on without a plan`);
    return { ...state, plan: barePlan(state.task, run) };
  }
};
