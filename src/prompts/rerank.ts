import type { Passage } from '../state.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface RerankVariables {
  readonly question: string;
  /** In the retriever's order. */
  readonly passages: readonly Passage[];
}

/** Puts retrieved passages in order. */
export const rerank = definePrompt<RerankVariables>()({
  name: 'rerank',
  render: { question: asIs, passages: renderPassages },
  required: ['question', 'passages'],
  fields: {
    ranking: {
      kind: 'list',
      label: 'RANKING',
      about: 'the ids of the passages that help, such as P12, the most helpful first',
      required: true,
    },
  },
});
