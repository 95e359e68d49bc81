import { counted } from '../base/text.ts';
import type { AnswerSchema } from '../schema/json-schema.ts';
import type { Passage } from '../state.ts';
import { idsOf } from './answer.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';
import { field } from './reply/fields.ts';

export interface CriticVariables {
  readonly task: string;
  /** The answer, with passage ids as marks. */
  readonly answer: string;
  /** The claims in order, each with the passage ids that it cites. */
  readonly claims: readonly string[];
  /** The passages of the prompt that led to the answer, and other passages that the answer cites. */
  readonly passages: readonly Passage[];
  /** Number of further cited passages that did not fit the prompt. */
  readonly leftOut: number;
  readonly unanswered: readonly string[];
}

const renderLeftOut = (count: number): string =>
  count === 0
    ? ''
    : `(${counted(count, 'more passage')} that the answer cites did not fit here. Leave out claims that rest only on them.)`;

const renderNumbered = (claims: readonly string[]): string =>
  claims.map((claim, index) => `${index + 1}. ${claim}`).join('\n');

/** Judges each claim of the final answer by the passages that it cites. */
export const critic = definePrompt<CriticVariables>()({
  name: 'critic',
  render: {
    task: asIs,
    answer: asIs,
    claims: renderNumbered,
    passages: renderPassages,
    leftOut: renderLeftOut,
    unanswered: renderNumbered,
  },
  required: ['task', 'claims', 'passages'],
  fields: {
    verdicts: field(
      'verdicts',
      'VERDICTS',
      'one for each claim; no quote for a claim that the text does not tell something',
    ),
    gaps: field(
      'list',
      'GAPS',
      'what the question asks, these passages tell and the answer does not say, as a short question; none when the answer says all that they tell',
    ),
    conflicts: field('conflicts', 'CONFLICTS', 'two passages that answer the question differently; none is usual'),
    reasoning: field('text', 'REASONING', 'why, in a sentence or two'),
    confidenceScore: field(
      'score',
      'CONFIDENCE_SCORE',
      'how likely the answer is right and complete, or rightly says that the text does not tell',
      true,
    ),
  },
  passageIds: idsOf,
});

export interface FormVariables {
  readonly question: string;
  readonly answer: string;
  readonly passages: readonly Passage[];
  readonly schema: AnswerSchema;
}

/** Puts an answer into the requested form. */
export const form = definePrompt<FormVariables>()({
  name: 'form',
  isQuick: true,
  render: { question: asIs, answer: asIs, passages: renderPassages, schema: ({ reply }) => JSON.stringify(reply) },
  required: ['question', 'answer', 'passages', 'schema'],
  fields: { json: field('text', 'JSON', 'the answer as JSON', true) },
  schemaOf: ({ schema }) => schema,
});
