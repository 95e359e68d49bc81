/** HTML from untrusted text. Everything but our own markup is escaped. */

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

/** Control codes except line feed and tab, and direction marks, which can disguise text. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const codeOf = (character: string) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Replaces control codes by visible codes, and CRLF by a line feed. */
export const visible = (text: string): string => text.replace(/\r\n/g, '\n').replace(invisible, codeOf);

/** Escapes text for an element or a quoted attribute. */
export const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character]!);

type Content = Markup | string | number | null | readonly Content[];

const contentText = (content: Content): string => {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(contentText).join('') : escapeText(String(content));
};

/** Creates markup from a template. Text values are escaped, markup is inserted as it is, and null is omitted. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(parts.map((part, index) => part + contentText(values[index] ?? null)).join(''));

/** Whether a value is left out of a page's data. The page's script restores such values. */
const isEmpty = (value: unknown) => value === null || value === false || (Array.isArray(value) && value.length === 0);

const shownValue = (_: string, value: unknown): unknown => {
  if (typeof value === 'string') return visible(value);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? Object.fromEntries(Object.entries(value).filter(([, part]) => !isEmpty(part))) : value;
};

/** Encodes data for a script in the page. No text in it can end its element, and control codes are visible. */
export const dataOf = (value: unknown): Markup =>
  new Markup(
    JSON.stringify(value, shownValue).replace(
      /[<>&]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
