import { type Passage, type StrategyName, strategyNames, strategyTraits } from '../state.ts';
import {
  asIs,
  type BudgetLeft,
  bullets,
  definePrompt,
  type KnownAnswer,
  renderBudget,
  renderKnown,
  renderPassages,
} from './prompt.ts';
import { choice, field } from './reply/fields.ts';

export interface PlannerVariables {
  readonly task: string;
  /** A description of the text. The prompt contains it in place of the text. */
  readonly documents: string;
  readonly approaches: readonly StrategyName[];
  readonly budget: BudgetLeft;
}

/** Plans how to approach the task. */
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

export interface QuestionVariables {
  readonly question: string;
  readonly known: readonly KnownAnswer[];
  readonly budget: BudgetLeft;
}

/** Judges how hard a question is, to decide whether it is answered or split. */
export const assess = {
  ...definePrompt<QuestionVariables>()({
    name: 'assess',
    isQuick: true,
    render: { question: asIs, known: renderKnown, budget: renderBudget },
    required: ['question'],
    fields: {
      verdict: choice(
        ['SIMPLE', 'COMPLEX'],
        'ASSESSMENT',
        'SIMPLE when one look at the right passages answers it',
        true,
      ),
      reason: field('text', 'REASON', 'why, in a sentence'),
    },
  }),
  probabilityOf: { field: 'verdict', option: 'COMPLEX' },
} as const;

/** Splits a question into parts. */
export const decompose = definePrompt<QuestionVariables>()({
  name: 'decompose',
  render: { question: asIs, known: renderKnown, budget: renderBudget },
  required: ['question'],
  fields: {
    subQuestions: field(
      'questions',
      'SUB-QUESTION',
      'a question that stands by itself, with every name it needs',
      true,
    ),
  },
});

/** Proposes searches for what is missing from passages that do not answer the question. */
export const hop = definePrompt<{ readonly question: string; readonly passages: readonly Passage[] }>()({
  name: 'hop',
  isQuick: true,
  render: { question: asIs, passages: renderPassages },
  required: ['question'],
  fields: { searches: field('text', 'SEARCHES', 'one to three searches, one a line', true) },
  plain: { marks: null },
});

/** Asks a question about a given text in one call; `text` contains the question and the text. */
export const query = definePrompt<{ readonly text: string }>()({
  name: 'query',
  render: { text: asIs },
  required: ['text'],
  fields: { reply: field('text', 'REPLY', 'what the text says to it', true) },
  plain: { marks: null },
});
