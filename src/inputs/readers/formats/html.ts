import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { convert } from 'html-to-text';
import { createDecoder, decodingWarnings, type Encoding } from '../../decode.ts';
import type { Extract, Extracted } from '../extractor.ts';
import { UnreadableFile } from '../reader.ts';
import { createRowFormatter, hiddenSelectors } from './html-row.ts';

const skipped = ['script', 'style', 'noscript', 'template', 'img', 'svg'];

/** @param hidden selectors of elements that are left out. */
const textOf = (html: string, hidden: readonly string[]): string =>
  convert(html, {
    wordwrap: false,
    baseElements: { selectors: ['title', 'body'], orderBy: 'occurrence' },
    // The default cuts long pages.
    limits: { maxInputLength: Number.POSITIVE_INFINITY },
    selectors: [
      { selector: 'title', format: 'block' },
      { selector: 'a', options: { ignoreHref: true } },
      // Aligned columns would let a page take any time and memory (colspan).
      { selector: 'table', format: 'block' },
      { selector: 'tr', format: 'row' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      ...[...skipped, ...hidden].map((selector) => ({ selector, format: 'skip' })),
    ],
    formatters: { row: createRowFormatter() },
  });

/**
 * Extracts the text of a page: tables as rows with tabs between the cells, links as their words. Leaves out
 * hidden elements, unless the whole page is hidden (until a script shows it).
 */
export const extractHtml: Extract = async ({ name, bytes, encoding }) => {
  const { text: html, warnings } = decode(name, bytes, encoding);
  const shown = textOf(html, hiddenSelectors);
  const text = shown.trim() === '' ? textOf(html, []) : shown;
  if (text.trim() === '') throw new UnreadableFile('without text');
  return { text: `${text}\n`, warnings };
};

/** A page that is not UTF-8 has the encoding that it declares. */
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
    return null; // No such encoding.
  }
}
