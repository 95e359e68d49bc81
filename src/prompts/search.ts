import { counted } from '../base/text.ts';
import type { FurtherSearch } from '../state.ts';
import { answer, idsOf, type PassagesVariables, passagesRender } from './answer.ts';
import { bullets, definePrompt } from './prompt.ts';

/** The searches that a question may still request. */
export interface SearchesLeft {
  /** Rounds in which it may request searches. */
  readonly rounds: number;
  /** Total number of searches. */
  readonly searches: number;
}

export interface SearchVariables extends PassagesVariables {
  /** Searches that this question has requested so far. */
  readonly searched: readonly FurtherSearch[];
  readonly left: SearchesLeft;
}

const found = (count: number): string => (count === 0 ? 'nothing new' : counted(count, 'passage'));

/** Renders the searches of a question so far, with the result of each. */
export const renderSearched = (searched: readonly FurtherSearch[]): string =>
  bullets(searched.map((search) => `${search.query} (found ${found(search.found.length)})`));

const renderLeft = ({ rounds, searches }: SearchesLeft): string =>
  `${searches} in all; you may ask ${rounds === 1 ? 'once' : `${rounds} times`} more`;

/** Answers a question from passages, or requests searches first. */
export const search = definePrompt<SearchVariables>()({
  name: 'search',
  isQuick: true,
  render: { ...passagesRender, searched: renderSearched, left: renderLeft },
  required: ['question', 'passages', 'known', 'searched', 'left'],
  fields: {
    searches: {
      kind: 'queries',
      label: 'SEARCH',
      about: 'words to search the text for before you answer; leave it out when nothing is missing',
      required: false,
    },
    ...answer.fields,
    answer: { ...answer.fields.answer, required: false },
  },
  leavesOut: () => ['citations', 'assumptions', 'query', 'needsAll'],
  passageIds: idsOf,
});
