import { isForgivable } from '../errors.ts';
import type { Reply } from '../prompts/index.ts';
import type { Run } from '../run/run.ts';
import { isSmall, testedOf } from '../run/up-to.ts';
import { type Plan, type Planned, type StrategyName, strategyNames, type TaskState } from '../state.ts';
import { distinctParts } from '../strategies/parts.ts';
import { callsWorthPlanning, chooseApproach } from './choose-approach.ts';
import { namingTheTask } from './key-questions.ts';
import { measureFacts } from './measure-facts.ts';
import type { Stage } from './stage.ts';

/** Chooses, and sees to it that an exploration has the same window whoever chose it. */
function choose(task: string, said: StrategyName | null, run: Run) {
  const choice = chooseApproach({ ...measureFacts(task, run), said });
  if (choice.approach === 'explore') run.widen();
  return choice;
}

function planFrom(task: string, reply: Reply<'planner'>, run: Run): Plan {
  const { taskDecomposition, requiredInformation, successCriteria, approach } = reply;
  // Small models fill in the form; larger ones may know better words for what they look for.
  const isBound = isSmall(testedOf(run.modelInfo('planner', 'planner')));
  const distinct = distinctParts(task, reply.keyQuestions);
  const keyQuestions = isBound ? namingTheTask(task, distinct) : distinct;
  return { ...choose(task, approach, run), taskDecomposition, keyQuestions, requiredInformation, successCriteria };
}

/** The plan of a run that has no planner's reply: nothing to go by but the settings and the facts. */
function barePlan(task: string, run: Run): Plan {
  const bare = { taskDecomposition: [], keyQuestions: [], requiredInformation: [], successCriteria: [] };
  return { ...choose(task, null, run), ...bare };
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
