import type { Passage } from '../state.ts';
import { idsOf } from './answer.ts';
import { asIs, definePrompt, type Picture, renderPassages } from './prompt.ts';
import { choice, field } from './reply/fields.ts';

export interface ClassifyVariables {
  /** The question whose answer is the label of an item. */
  readonly question: string;
  /** At most 26 labels, because each label gets a letter. */
  readonly labels: readonly string[];
  readonly items: readonly string[];
}

const letterOf = (index: number): string => String.fromCharCode(65 + index);

export const renderItem = (item: string, index: number): string =>
  `[${index + 1}] ${item.trim().replace(/\n(?=\[\d+\])/g, '\n ')}`;

/** Gives each item one of the labels. */
export const classify = definePrompt<ClassifyVariables>()({
  name: 'classify',
  render: {
    question: asIs,
    labels: (labels) => labels.map((label, index) => `${letterOf(index)}: ${label}`).join('\n'),
    items: (items) => items.map(renderItem).join('\n'),
  },
  required: ['question', 'labels', 'items'],
  fields: { reply: field('text', 'REPLY', 'a line for each item: its number and a letter', true) },
  plain: { marks: null },
  longReply: true,
});

const named = /(?<![\p{L}\p{N}])(\d{1,6})\]?[\s.:)=|*-]{1,4}([A-Z])(?![\p{L}\p{N}])/giu;

/** Reads the label of each item from a reply; null for an item without a label. */
export function readLabels(reply: string, labels: readonly string[], count: number): readonly (string | null)[] {
  const found = new Array<string | null>(count).fill(null);
  const take = (number: string, label: string | undefined) => {
    const place = Number(number) - 1;
    if (label !== undefined && found[place] === null) found[place] = label;
  };
  const labelled = (said: string) => labels.find((label) => label.toLowerCase() === said.trim().toLowerCase());
  for (const [, number, letter] of reply.matchAll(named))
    take(number!, labels[letter!.toUpperCase().charCodeAt(0) - 65]);
  // Some models write the label instead of its letter.
  for (const [, number, said] of reply.matchAll(/^\W*(\d{1,6})\W+(\S[^\n]*)$/gm)) take(number!, labelled(said!));
  return found;
}

export interface ScanVariables {
  readonly question: string;
  /** The passages of one piece of the text. */
  readonly passages: readonly Passage[];
  /** Maximum number of findings that a reply has room for. */
  readonly most: number;
  /** Whether each line of the passages begins with its number. A reply may then name lines by number. */
  readonly isNumbered: boolean;
}

/** Finds what one piece of the text says about a question. */
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

/** Writes down the text of one page. */
export const transcribe = definePrompt<{ readonly picture: Picture }>()({
  name: 'transcribe',
  render: { picture: () => 'picture' },
  required: ['picture'],
  fields: { reply: field('text', 'REPLY', 'the text of the picture', true) },
  plain: { marks: null },
  pictures: ({ picture }) => [picture],
  longReply: true,
  isLasting: true,
  isQuick: true,
});

/** What a model writes for a page without text. */
const blankPage = '[blank page]';

/** Returns the text of a page from a reply. The text of a blank page is empty. */
export const transcriptIn = (reply: string): string => (reply.trim().toLowerCase() === blankPage ? '' : reply.trim());
