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

/** Replaces characters that XML does not allow, and lone surrogates. */
const allowed = (text: string): string => visible(text.toWellFormed()).replace(/[\ufffe\uffff]/g, '�');

/** Escapes text for an element. */
export const xmlText = (text: string): string => allowed(text).replace(/[&<>]/g, (character) => entities[character]!);

/** Escapes text for a quoted attribute. */
export const xmlAttribute = (text: string): string =>
  allowed(text).replace(/[&<>"'\n\t]/g, (character) => entities[character]!);
