import type { Passage } from '../state.ts';
import {
  asIs,
  type BudgetLeft,
  definePrompt,
  type KnownAnswer,
  renderBudget,
  renderKnown,
  renderPassages,
} from './prompt.ts';
import { choice, field } from './reply/fields.ts';

export interface AssessVariables {
  readonly question: string;
  /** Answers that are already known. */
  readonly known: readonly KnownAnswer[];
  readonly budget: BudgetLeft;
}

/** Judges how hard a question is, which decides whether it is answered or split. */
export const assess = {
  ...definePrompt<AssessVariables>()({
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

export interface DecomposeVariables {
  readonly question: string;
  readonly known: readonly KnownAnswer[];
  readonly budget: BudgetLeft;
}

/** Splits a question into parts. */
export const decompose = definePrompt<DecomposeVariables>()({
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

export interface HopVariables {
  readonly question: string;
  /** Passages that were shown and do not answer the question. */
  readonly passages: readonly Passage[];
}

/** Names searches for what the passages do not tell. */
export const hop = definePrompt<HopVariables>()({
  name: 'hop',
  isQuick: true,
  render: { question: asIs, passages: renderPassages },
  required: ['question'],
  fields: { searches: { kind: 'text', label: 'SEARCHES', about: 'one to three searches, one a line', required: true } },
  plain: { marks: null },
});

export interface QueryVariables {
  /** The question, with the text that it is about. */
  readonly text: string;
}

/** Asks a question about a given text in one call. */
export const query = definePrompt<QueryVariables>()({
  name: 'query',
  render: { text: asIs },
  required: ['text'],
  fields: { reply: { kind: 'text', label: 'REPLY', about: 'what the text says to it', required: true } },
  plain: { marks: null },
});
