import { createInflate } from 'node:zlib';
import { getDocumentProxy } from 'unpdf';
import { joinPages } from '../../pictures.ts';
import type { Extract } from '../extractor.ts';
import { UnreadableFile, unreadableBy } from '../reader.ts';
import { checkUnpacked } from '../unpack-limit.ts';
import { packedStreams } from './pdf-streams.ts';

/** Unpacks the streams with zlib, which is faster than the parser. Throws UnreadableFile for a decompression bomb. */
async function checkStreams(pdf: Buffer, maxUnpackRatio: number): Promise<void> {
  let unpacked = 0;
  for (const { bytes: packed, isImage } of packedStreams(pdf)) {
    // Extracting text does not unpack images.
    if (isImage) continue;
    const stream = createInflate();
    stream.end(packed);
    try {
      for await (const piece of stream) {
        unpacked += (piece as Buffer).length;
        checkUnpacked(unpacked, pdf.length, maxUnpackRatio);
      }
    } catch (error) {
      // The parser handles streams that are damaged or not packed with zlib.
      if (error instanceof UnreadableFile) throw error;
    }
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Buffer): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw isLocked ? new UnreadableFile('encrypted') : unreadableBy(error, 'PDF');
  }
}

async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

/** Reads the text of each page: null for an empty page, '' for one that cannot be read. */
async function readPages(pdf: Pdf, maxChars: number) {
  const pages = { texts: [] as (string | null)[], empty: [] as number[], failed: [] as number[] };
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number).catch(() => null);
    if (text === null) pages.failed.push(number);
    else if (text.trim() === '') pages.empty.push(number);
    pages.texts.push(text !== null && text.trim() === '' ? null : (text ?? ''));
    chars += text?.length ?? 0;
    if (chars > maxChars)
      throw new UnreadableFile('decompression bomb', `its text is longer than ${maxChars} characters`);
  }
  return pages;
}

const named = 5;

function pageWarning(pages: readonly number[], what: string): string[] {
  if (pages.length === 0) return [];
  const shown = pages.slice(0, named).join(', ') + (pages.length > named ? ', …' : '');
  return [`${pages.length} ${what}: ${shown}`];
}

/** Extracts the text of each page, below a line with the page's number. */
export const extractPdf: Extract = async ({ name, bytes, maxChars, maxUnpackRatio }) => {
  await checkStreams(bytes, maxUnpackRatio);
  const pdf = await open(bytes);
  const { texts, empty, failed } = await readPages(pdf, maxChars);
  if (failed.length > 0 && failed.length + empty.length === pdf.numPages)
    throw new UnreadableFile('corrupt', 'none of its pages can be read');
  const warnings = [
    ...pageWarning(empty, `of ${pdf.numPages} pages of '${name}' have no text layer`),
    ...pageWarning(failed, `of ${pdf.numPages} pages of '${name}' cannot be read`),
  ];
  return { text: joinPages(texts), warnings, ...(empty.length > 0 && { pages: texts }) };
};
