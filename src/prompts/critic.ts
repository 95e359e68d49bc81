import { counted } from '../base/counted.ts';
import type { Passage } from '../state.ts';
import { asIs, bullets, definePrompt, renderPassages } from './prompt.ts';

export interface CriticVariables {
  readonly task: string;
  readonly answer: string;
  /** The passages that the answer cites, or the best retrieved ones when it cites none. */
  readonly passages: readonly Passage[];
  /** Number of further cited passages that did not fit the prompt. */
  readonly leftOut: number;
  readonly criteria: readonly string[];
  /** Parts of the question that have no answer. */
  readonly unanswered: readonly string[];
}

const renderLeftOut = (count: number): string =>
  count === 0
    ? ''
    : `(${counted(count, 'more passage')} that the answer rests on did not fit here. What only they can prove costs nothing.)`;

/** Scores the final answer against its evidence, and names what is missing. */
export const critic = definePrompt<CriticVariables>()({
  name: 'critic',
  render: {
    task: asIs,
    answer: asIs,
    passages: renderPassages,
    leftOut: renderLeftOut,
    criteria: bullets,
    unanswered: bullets,
  },
  required: ['task', 'answer', 'passages'],
  fields: {
    confidenceScore: {
      kind: 'score',
      label: 'CONFIDENCE_SCORE',
      about: 'how much of the answer the passages prove',
      required: true,
    },
    gaps: { kind: 'list', label: 'GAPS', about: 'what the question asks and the answer lacks', required: false },
    uncertainties: {
      kind: 'list',
      label: 'UNCERTAINTIES',
      about: 'statements that the passages do not prove',
      required: false,
    },
    reasoning: { kind: 'text', label: 'REASONING', about: 'why this score', required: false },
  },
});
