import { type StrategyName, strategyNames, strategyTraits } from '../state.ts';
import { asIs, type BudgetLeft, bullets, definePrompt, renderBudget } from './prompt.ts';

export interface PlannerVariables {
  readonly task: string;
  /** What a model is told of the text in its place. */
  readonly documents: string;
  /** The approaches that may be chosen. */
  readonly approaches: readonly StrategyName[];
  readonly budget: BudgetLeft;
}

/** One call before anything else: how to go about the task. */
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
    taskDecomposition: {
      kind: 'list',
      label: 'TASK DECOMPOSITION',
      about: 'the steps the task needs',
      required: false,
    },
    keyQuestions: {
      kind: 'questions',
      label: 'KEY QUESTIONS',
      about: 'a question that must be answered on the way',
      required: true,
    },
    requiredInformation: {
      kind: 'list',
      label: 'REQUIRED INFORMATION',
      about: 'what has to be found in the text',
      required: false,
    },
    successCriteria: {
      kind: 'list',
      label: 'SUCCESS CRITERIA',
      about: 'what a good answer must contain',
      required: false,
    },
    approach: {
      kind: 'choice',
      options: strategyNames,
      label: 'APPROACH',
      about: 'the cheapest approach that can serve',
      required: true,
    },
  },
});
