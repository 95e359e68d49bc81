import { visible } from '../html/markup.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Characters that no XML document may hold, and halves of characters, as text. */
const allowed = (text: string): string => visible(text.toWellFormed()).replace(/[\ufffe\uffff]/g, '�');

/** Text for an element. */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>]/g, (character) => entities[character]!);

/** Text for a quoted attribute. */
export const xmlAttribute = (text: string): string =>
  allowed(text).replace(/[&<>"'\n\t]/g, (character) => entities[character]!);
