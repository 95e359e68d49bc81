import { asIs, definePrompt } from './prompt.ts';
import { field } from './reply/fields.ts';

export interface ClassifyVariables {
  /** What decides the label of an item. */
  readonly question: string;
  /** At most 26. */
  readonly labels: readonly string[];
  readonly items: readonly string[];
}

/** Returns the letter by which a reply names a label. */
const letterOf = (index: number): string => String.fromCharCode(65 + index);

/** Renders an item with its number, from 1. */
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
  fields: {
    reply: field('text', 'REPLY', 'a line for each item: its number and a letter', true),
  },
  plain: { marks: null },
  longReply: true,
});

const named = /(?<![\p{L}\p{N}])(\d{1,6})\]?[\s.:)=|*-]{1,4}([A-Z])(?![\p{L}\p{N}])/giu;

/** Reads the label of each item from a reply; null where it has none. The first label of an item counts. */
export function readLabels(reply: string, labels: readonly string[], count: number): readonly (string | null)[] {
  const found = new Array<string | null>(count).fill(null);
  const take = (number: number, label: string | undefined) => {
    if (label !== undefined && found[number - 1] === null) found[number - 1] = label;
  };
  for (const [, number, letter] of reply.matchAll(named))
    take(Number(number), labels[letter!.toUpperCase().charCodeAt(0) - 65]);
  // Some models write the label in place of its letter.
  for (const [, number, said] of reply.matchAll(/^\W*(\d{1,6})\W+(\S[^\n]*)$/gm))
    take(
      Number(number),
      labels.find((label) => label.toLowerCase() === said!.trim().toLowerCase()),
    );
  return found;
}
