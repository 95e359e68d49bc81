import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { convert } from 'html-to-text';
import { createDecoder, decodingWarnings, type Encoding } from '../../decode.ts';
import type { Extract, Extracted } from '../extractor.ts';
import { tooDeep, UnreadableFile } from '../reader.ts';
import { createRowFormatter, hiddenSelectors, lineElements, signBefore } from './html-row.ts';

const skipped = ['script', 'style', 'noscript', 'template', 'img', 'svg'];

const oneBreak = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const textOf = (html: string, hidden: readonly string[]): string =>
  convert(html, {
    wordwrap: false,
    baseElements: { selectors: ['title', 'body'], orderBy: 'occurrence' },
    // The default limit cuts long pages.
    limits: { maxInputLength: Number.POSITIVE_INFINITY },
    selectors: [
      { selector: 'title', format: 'block' },
      { selector: 'a', options: { ignoreHref: true } },
      // With aligned columns, a page with `colspan` could take unlimited time and memory.
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'row' },
      { selector: 'sup', format: 'raised' },
      ...lineElements.split(' ').map((selector) => ({ selector, format: 'block', options: oneBreak })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      ...[...skipped, ...hidden].map((selector) => ({ selector, format: 'skip' })),
    ],
    formatters: {
      row: createRowFormatter(),
      raised(element, walk, builder) {
        builder.addInline(signBefore(element));
        walk(element.children, builder);
      },
    },
  });

/** Maximum number of elements that are open at once. The parser's time grows with the square of this number. */
const mostOpen = 20_000;
/** Matches a tag, a comment, or an element whose content is text. */
const markup =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|textarea|xmp)\b[\s\S]*?(?:<\/\1|$)|<(\/?)([a-z][^\s/<>]*)([^<>]*)/gi;
const withoutContent = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements whose end tags may be left out: the next element of this list ends them. */
const endedByNext = new Set('p li dd dt rp rt td th tr thead tbody tfoot option optgroup'.split(' '));

/** Throws UnreadableFile for a page whose elements are nested so deeply that the parser would fail after minutes. */
function checkDepth(html: string): void {
  const open: string[] = [];
  for (const [, , slash, name, rest] of html.matchAll(markup)) {
    const tag = name?.toLowerCase();
    if (tag === undefined || withoutContent.has(tag) || rest!.endsWith('/')) continue;
    if (slash === '/') {
      const at = open.lastIndexOf(tag);
      if (at !== -1) open.length = at;
      continue;
    }
    if (endedByNext.has(tag)) while (endedByNext.has(open.at(-1) ?? '')) open.pop();
    if (open.push(tag) > mostOpen) throw tooDeep();
  }
}

/**
 * Extracts the text of a page: tables as rows with tabs between the cells, links as their words. Leaves out hidden
 * elements. If all text is hidden until a script shows it, extracts the hidden text.
 */
export const extractHtml: Extract = async ({ name, bytes, encoding }) => {
  const { text: html, warnings } = decode(name, bytes, encoding);
  checkDepth(html);
  const shown = textOf(html, hiddenSelectors);
  const text = shown.trim() === '' ? textOf(html, []) : shown;
  if (text.trim() === '') throw new UnreadableFile('without text');
  return { text: `${text}\n`, warnings };
};

/**
 * Decodes a page: as UTF-8 if its bytes are valid UTF-8, otherwise in the encoding that the page declares. A page that
 * declares none is decoded like a text file with `encoding`.
 */
function decode(name: string, bytes: Buffer, encoding: Encoding): Extracted {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), warnings: [] };
  const charset = declaredCharset(bytes);
  if (charset !== null) return { text: charset.decode(bytes), warnings: [] };
  const decoder = createDecoder(bytes, encoding);
  const text = Buffer.concat([decoder.write(bytes), decoder.end()]).toString('utf8');
  return { text, warnings: decodingWarnings(name, decoder) };
}

function declaredCharset(bytes: Buffer): TextDecoder | null {
  const start = bytes.subarray(0, 1024).toString('latin1');
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1];
  try {
    return label === undefined ? null : new TextDecoder(label);
  } catch {
    return null; // The label names no known encoding.
  }
}
