import type { Passage } from '../state.ts';
import { completenessFields } from './completeness.ts';
import { asIs, bullets, definePrompt, type KnownAnswer, renderKnown, renderPassages } from './prompt.ts';

export interface AnswerVariables {
  readonly question: string;
  readonly passages: readonly Passage[];
  /** Answers to earlier questions that this one builds on. */
  readonly known: readonly KnownAnswer[];
  readonly criteria: readonly string[];
}

/** Returns the ids of the passages that a prompt shows. */
export const idsOf = ({ passages }: { readonly passages: readonly Passage[] }): readonly string[] =>
  passages.map(({ id }) => id);

/** The instruction to mark statements in prose with their passages. */
const asksMarks =
  'After each statement write the id of the passage it rests on, in square brackets. Use only ids that are given.';

/** Answers a question from passages. */
export const answer = definePrompt<AnswerVariables>()({
  name: 'answer',
  render: { question: asIs, passages: renderPassages, known: renderKnown, criteria: bullets },
  required: ['question', 'passages', 'known'],
  fields: {
    answer: {
      kind: 'text',
      label: 'ANSWER',
      about: 'the answer, each statement followed by the id of its passage in square brackets',
      required: true,
    },
    citations: { kind: 'citations', label: 'CITATIONS', about: 'the passages the answer rests on', required: false },
    assumptions: {
      kind: 'list',
      label: 'ASSUMPTIONS',
      about: 'what the answer takes for granted without evidence',
      required: false,
    },
    ...completenessFields,
    needsAll: {
      kind: 'choice',
      options: ['yes', 'no'],
      label: 'NEEDS ALL',
      about: 'yes when the answer takes all of the text, such as a count, a list of all or the most frequent',
      required: false,
    },
  },
  plain: { marks: asksMarks, below: ['tells', 'missing', 'needsAll'] },
  passageIds: idsOf,
});
