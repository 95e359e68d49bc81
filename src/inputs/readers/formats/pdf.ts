import { getDocumentProxy } from 'unpdf';
import type { Extract } from '../extractor.ts';
import { UnreadableFile, unreadableBy } from '../reader.ts';

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

interface Pages {
  readonly texts: string[];
  readonly empty: number[];
  readonly failed: number[];
}

async function readPages(pdf: Pdf, maxChars: number): Promise<Pages> {
  const pages: Pages = { texts: [], empty: [], failed: [] };
  let chars = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number).catch(() => null);
    if (text === null) pages.failed.push(number);
    else if (text.trim() === '') pages.empty.push(number);
    else pages.texts.push(`[page ${number}]\n${text.trimEnd()}\n`);
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

/** The text of each page below a line with its number. */
export const extractPdf: Extract = async ({ name, bytes, maxChars }) => {
  const pdf = await open(bytes);
  const { texts, empty, failed } = await readPages(pdf, maxChars);
  if (texts.length === 0 && failed.length > 0) throw new UnreadableFile('corrupt', 'none of its pages can be read');
  if (texts.length === 0) throw new UnreadableFile('without text', 'no text layer: its pages are images, or empty');
  const warnings = [
    ...pageWarning(empty, `of ${pdf.numPages} pages of '${name}' have no text layer`),
    ...pageWarning(failed, `of ${pdf.numPages} pages of '${name}' cannot be read`),
  ];
  return { text: texts.join('\n'), warnings };
};
