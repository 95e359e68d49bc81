import type { Passage } from '../state.ts';
import { idsOf } from './answer.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';

export interface ScanVariables {
  readonly question: string;
  /** One piece of the text. */
  readonly passages: readonly Passage[];
  /** Findings that a reply has room for, at most. */
  readonly most: number;
  /** Whether each line of the passages begins with its number, by which a reply may name it. */
  readonly isNumbered: boolean;
}

/** Finds everything about a question in one piece of the text. */
export const scan = definePrompt<ScanVariables>()({
  name: 'scan',
  isQuick: true,
  render: { question: asIs, passages: renderPassages, most: String, isNumbered: () => '' },
  required: ['question', 'passages', 'most'],
  fields: {
    findings: {
      kind: 'findings',
      label: 'FINDINGS',
      about: 'one thing that the piece says to the question; none is a good reply',
      required: true,
    },
    lines: {
      kind: 'list',
      label: 'LINES',
      about:
        'in place of findings, where each thing is a line of its own and only their number or a list of them is asked for: the numbers of these lines, such as 12, 15-17',
      required: false,
    },
    more: {
      kind: 'choice',
      options: ['yes', 'no'],
      label: 'MORE',
      about: 'yes when the piece holds more findings than were written',
      required: false,
    },
    asksFor: {
      kind: 'choice',
      options: ['count', 'list', 'other'],
      label: 'ASKS FOR',
      about: 'what the question asks for: only how many (count), only which ones (list), or anything else (other)',
      required: false,
    },
  },
  passageIds: idsOf,
  leavesOut: ({ isNumbered }) => (isNumbered ? [] : ['lines']),
});
