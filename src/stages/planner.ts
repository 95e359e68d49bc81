import { contentTerms } from '../context/words/terms.ts';
import { isForgivable } from '../errors.ts';
import type { Reply } from '../prompts/index.ts';
import { isSmall } from '../run/model-capabilities.ts';
import type { Run } from '../run/run.ts';
import {
  type Plan,
  type Planned,
  type StrategyName,
  type SubQuestion,
  strategyNames,
  strategyTraits,
  type TaskState,
} from '../state.ts';
import { distinctParts } from '../strategies/decompose.ts';
import { callsWorthPlanning, chooseApproach, measureFacts, wantsPlanner } from './choose-strategy.ts';
import type { Stage } from './retriever.ts';

/** Returns the key questions that share a word with the task, or build on such a question. */
export function namingTheTask(task: string, questions: readonly SubQuestion[]): readonly SubQuestion[] {
  const named = new Set(contentTerms(task));
  if (named.size === 0) return questions;
  /** The new number of each kept question, by its old number. */
  const kept = new Map<number, number>();
  return questions.flatMap(({ question, needs }, index) => {
    const before = needs.flatMap((need) => kept.get(need) ?? []);
    if (before.length === 0 && !contentTerms(question).some((term) => named.has(term))) return [];
    kept.set(index + 1, kept.size + 1);
    return [{ question, needs: before }];
  });
}

function choose(said: StrategyName | null, run: Run) {
  const choice = chooseApproach({ ...measureFacts(run), said });
  if (strategyTraits[choice.approach].widens) run.models.widen();
  return choice;
}

function planFrom(task: string, reply: Reply<'planner'>, run: Run): Plan {
  const { taskDecomposition, requiredInformation, approach } = reply;
  // Small models repeat themselves and fill in every field. So some of their questions and all criteria are dropped.
  const isBound = isSmall(run.models.info('planner', 'planner'));
  const keyQuestions = isBound ? namingTheTask(task, distinctParts(task, reply.keyQuestions)) : reply.keyQuestions;
  const successCriteria = isBound ? [] : reply.successCriteria;
  const choice = choose(approach, run);
  return { madeBy: 'planner', ...choice, taskDecomposition, keyQuestions, requiredInformation, successCriteria };
}

/** A plan without questions. */
export const bare = {
  madeBy: 'code',
  taskDecomposition: [],
  keyQuestions: [],
  requiredInformation: [],
  successCriteria: [],
} as const;

async function askPlanner(task: string, run: Run): Promise<Reply<'planner'> | null> {
  if (!wantsPlanner(measureFacts(run))) return null;
  const calls = run.budget.callsLeft('ordinary');
  if (calls < callsWorthPlanning) {
    run.events.warn('no-plan', 'too few calls are left for planning; the question is answered without a plan');
    return null;
  }
  const budget = { calls, levels: run.settings.budget.maxDepth };
  const variables = { task, documents: run.text.description, approaches: strategyNames, budget };
  try {
    return await run.ask('planner', variables, { path: 'planner', share: 'ordinary' });
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.events.warn('no-plan', `${error.message}; the run continues without a plan`);
    return null;
  }
}

/** Plans the task by the facts alone or by a call of the planner. If the call fails, the facts decide. */
export const plan: Stage<TaskState, Planned> = async (state, run) => {
  const reply = await askPlanner(state.task, run);
  return { ...state, plan: reply === null ? { ...choose(null, run), ...bare } : planFrom(state.task, reply, run) };
};
