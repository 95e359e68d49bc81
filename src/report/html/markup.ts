import { createHash } from 'node:crypto';
import { pageStyle } from './style.ts';

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

/** Matches direction marks, which can disguise text, and control codes other than line feed and tab. */
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const codeOf = (character: string) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Replaces control codes and direction marks with visible codes, and CRLF with a line feed. */
export const visible = (text: string): string => text.replace(/\r\n/g, '\n').replace(invisible, codeOf);

export const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character]!);

export type Content = Markup | string | number | null | readonly Content[];

const contentText = (content: Content): string => {
  if (content === null) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(contentText).join('') : escapeText(String(content));
};

/** Creates markup from a template. Text values are escaped, markup is inserted as it is, and null is omitted. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Markup =>
  new Markup(parts.map((part, index) => part + contentText(values[index] ?? null)).join(''));

export const listMarkup = (items: readonly Content[]): Markup | null =>
  items.length === 0 ? null : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/**
 * Formats rows as a table. The first row is the head. Null if there is no row below the head.
 * @param isFigure whether a column is aligned to the right.
 */
export function tableMarkup(
  label: string,
  [head, ...rows]: readonly (readonly Content[])[],
  isFigure: (column: number) => boolean = (column) => column > 0,
): Markup | null {
  if (head === undefined || rows.length === 0) return null;
  const kind = (column: number) => (isFigure(column) ? new Markup(' class="figure"') : null);
  const heads = head.map((name, column) => html`<th scope="col"${kind(column)}>${name}</th>`);
  const body = rows.map((row) => html`<tr>${row.map((cell, column) => html`<td${kind(column)}>${cell}</td>`)}</tr>\n`);
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
}

export const titled = (title: string, content: Content): Markup | null =>
  content === null ? null : html`<div class="block"><h3>${title}</h3>${content}</div>`;

export const titledList = (title: string, items: readonly Content[]): Markup | null => titled(title, listMarkup(items));

export const sectionMarkup = (id: string, title: string, content: Markup | null): Markup | null =>
  content && html`<section id="${id}" class="card"><h2>${title}</h2>${content}</section>`;

/** The beginning of every page. rlm may overwrite a file that begins with it, because the file is a report of rlm. */
export const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-`;

/** Returns a page with the shared style. Its content security policy allows no request and no script. */
export function pageOf(title: string, body: Markup): string {
  const hash = createHash('sha256').update(pageStyle).digest('base64');
  return `${
    html`${new Markup(pageStart)}${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
${body}
</body>
</html>`.text
  }\n`;
}
