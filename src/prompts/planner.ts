import { type StrategyName, strategyNames, strategyTraits } from '../state.ts';
import { asIs, type BudgetLeft, bullets, definePrompt, renderBudget } from './prompt.ts';
import { choice, field } from './reply/fields.ts';

export interface PlannerVariables {
  readonly task: string;
  /** The description of the text that the prompt holds instead of the text. */
  readonly documents: string;
  /** The approaches that may be chosen. */
  readonly approaches: readonly StrategyName[];
  readonly budget: BudgetLeft;
}

/** Plans how to approach the task; the first call of a run. */
export const planner = definePrompt<PlannerVariables>()({
  name: 'planner',
  render: {
    task: asIs,
    documents: asIs,
    budget: renderBudget,
    approaches: (names) => bullets(names.map((name) => `${name}: ${strategyTraits[name].about}`)),
  },
  required: ['task', 'documents'],
  fields: {
    taskDecomposition: field('list', 'TASK DECOMPOSITION', 'the steps the task needs'),
    keyQuestions: field('questions', 'KEY QUESTIONS', 'a question that must be answered on the way', true),
    requiredInformation: field('list', 'REQUIRED INFORMATION', 'what has to be found in the text'),
    successCriteria: field('list', 'SUCCESS CRITERIA', 'what a good answer must contain'),
    approach: choice(strategyNames, 'APPROACH', 'the cheapest approach that can serve', true),
  },
});
