import type { Passage } from '../state.ts';
import { idsOf } from './answer.ts';
import { asIs, definePrompt, renderPassages } from './prompt.ts';
import { choice, field } from './reply/fields.ts';

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
    findings: field(
      'findings',
      'FINDINGS',
      'one thing that the piece says to the question; none is a good reply',
      true,
    ),
    lines: field(
      'list',
      'LINES',
      'in place of findings, where each thing is a line of its own and only their number or a list of them is asked for: the numbers of these lines, such as 12, 15-17',
    ),
    more: choice(['yes', 'no'], 'MORE', 'yes when the piece holds more findings than were written'),
    asksFor: choice(
      ['count', 'list', 'other'],
      'ASKS FOR',
      'what the question asks for: only how many (count), only which ones (list), or anything else (other)',
    ),
  },
  passageIds: idsOf,
  leavesOut: ({ isNumbered }) => (isNumbered ? [] : ['lines']),
});
