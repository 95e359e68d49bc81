import { counted } from '../base/counted.ts';
import type { FurtherSearch } from '../state.ts';
import { type AnswerVariables, answer, idsOf } from './answer.ts';
import { bullets, definePrompt } from './prompt.ts';

/** What a question may yet have searched. */
export interface SearchesLeft {
  /** How often it may ask for searches. */
  readonly rounds: number;
  /** Searches in all. */
  readonly searches: number;
}

export interface SearchVariables extends AnswerVariables {
  /** Searches that this question has asked for already. */
  readonly searched: readonly FurtherSearch[];
  readonly left: SearchesLeft;
}

const found = (count: number): string => (count === 0 ? 'nothing new' : counted(count, 'passage'));

/** The searches of a question so far, with what each came to. */
export const renderSearched = (searched: readonly FurtherSearch[]): string =>
  bullets(searched.map((search) => `${search.query} (found ${found(search.found.length)})`));

const renderLeft = ({ rounds, searches }: SearchesLeft): string =>
  `${searches} in all; you may ask ${rounds === 1 ? 'once' : `${rounds} times`} more`;

/** Answers a question from passages, or asks for searches first. */
export const search = definePrompt<SearchVariables>()({
  name: 'search',
  render: { ...answer.render, searched: renderSearched, left: renderLeft },
  required: [...answer.required, 'searched', 'left'],
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
  leavesOut: () => ['citations', 'assumptions'],
  passageIds: idsOf,
});
