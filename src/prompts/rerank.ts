import type { Passage } from '../state.ts';
import { idsOf } from './answer.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface RerankVariables {
  readonly question: string;
  /** Passages in the retriever's order. */
  readonly passages: readonly Passage[];
}

/** Orders retrieved passages by usefulness. */
export const rerank = definePrompt<RerankVariables>()({
  name: 'rerank',
  render: { question: asIs, passages: renderPassages },
  required: ['question', 'passages'],
  fields: {
    ranking: {
      kind: 'ids',
      label: 'RANKING',
      about: 'the ids of the passages that help, the most helpful first',
      required: true,
    },
  },
  passageIds: idsOf,
});
