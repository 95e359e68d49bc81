/** HTML from untrusted text: what is not markup of ours is escaped. */

/** Markup that is safe to put into a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control codes but line feed and tab, and what sets the direction of text: both can make it read as other text. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const codeOf = (character: string) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Text whose controls can be seen; a carriage return before a line feed is a line feed. */
export const visible = (text: string): string => text.replace(/\r\n/g, '\n').replace(invisible, codeOf);

/** Text that is text in an element and in a quoted attribute. */
export const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character]!);

type Content = Markup | string | number | null | readonly Content[];

const contentText = (content: Content): string => {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(contentText).join('') : escapeText(String(content));
};

/** Markup with values in it: text is escaped, markup stays, null is nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(parts.map((part, index) => part + contentText(values[index] ?? null)).join(''));

/** What data of a page leaves out: its script knows what stands for it. */
const isEmpty = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);

const shownValue = (_: string, value: unknown): unknown => {
  if (typeof value === 'string') return visible(value);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).filter(([, part]) => !isEmpty(part))) : value;
};

/** Data for a script in the page: no text in it can end the element that holds it, and controls can be seen. */
export const dataOf = (value: unknown): Markup =>
  new Markup(
    JSON.stringify(value, shownValue).replace(
      /[<>&]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
