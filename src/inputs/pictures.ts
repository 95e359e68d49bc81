/** Handles documents that a model has to read because their text is in pictures. */

export type FileFormat = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff';

/** A file that is a picture or has pages that are pictures. */
export interface Scan {
  readonly name: string;
  readonly format: FileFormat | 'application/pdf';
  readonly bytes: Uint8Array;
  /** The text of each page; null for a page that is a picture. */
  readonly pages: readonly (string | null)[];
  /** Number of tokens that the picture of one page takes in a prompt. */
  readonly tokens: number;
}

/** Returns the numbers of the pages that are pictures, from 1. */
export const picturedPages = ({ pages }: Pick<Scan, 'pages'>): readonly number[] =>
  pages.flatMap((text, index) => (text === null ? [index + 1] : []));

/** Returns the name of a page for messages. If the document has only one page, this is the name of the document. */
export const pageName = ({ name, pages }: Scan, page: number): string =>
  pages.length === 1 ? `'${name}'` : `page ${page} of '${name}'`;

/** Matches a line in the text of a page that looks like a page mark. */
const falseMark = /^\[(page \d+)\]$/gm;

/** Joins the texts of pages, each below a line with the page's number. Pages without text are left out. */
export const joinPages = (pages: readonly (string | null)[]): string =>
  pages
    .map((text, index) => (text?.trim() ? `[page ${index + 1}]\n${text.trimEnd().replace(falseMark, '($1)')}\n` : ''))
    .filter(Boolean)
    .join('\n');

/** The longer side of a rendered page, in pixels: models scale larger pictures down. */
export const longestSide = 1_568;

/** Returns how many tokens a picture takes in a prompt: one for each 750 pixels, at most 5,000. */
export const pixelTokens = (pixels: number): number => Math.min(5_000, Math.ceil(pixels / 750));

export const renderedTokens = pixelTokens(longestSide * longestSide);

export interface ForeseenPages {
  readonly pages: number;
  /** Number of these pages that a model can read within the limits of the run. */
  readonly allowed: number;
  /** The highest cost of the allowed pages, with one request per page; `usd` is null when the price is unknown. */
  readonly most: { readonly tokens: number; readonly usd: number | null };
}

/** Prepares documents for the model that reads pictures. */
export interface ScanReader {
  /** Returns the document with the text '' for each blank page; null if no model reads it. */
  prepare(scan: Scan, signal: AbortSignal): Promise<Scan | null>;
  /** Returns a note for the user about pages that no model reads. */
  note(pages: number): string;
}

export const unreadNote = (pages: number, what: string): string =>
  `${pages === 1 ? '1 page has' : `${pages} pages have`} no text; ${what}`;

const asking = 'a vision model reads such pages: rlm ask "…" FILES --vision-model ollama/qwen2.5vl:7b';

export const countingReader: ScanReader = { prepare: async () => null, note: (pages) => unreadNote(pages, asking) };

/** Collects documents with pages for a model, and counts pages that no model reads. Does neither if `load` is null. */
export function collectScans(load: (() => Promise<ScanReader>) | null, signal: AbortSignal) {
  const scans: Scan[] = [];
  let unread = 0;
  let reading: ScanReader | null = null;
  const take = async (scan: Scan): Promise<boolean> => {
    reading ??= await load!();
    const prepared = await reading.prepare(scan, signal);
    const count = picturedPages(prepared ?? scan).length;
    if (prepared === null) unread += count;
    if (prepared === null || count === 0) return false;
    scans.push(prepared);
    return true;
  };
  const notes = () => (unread > 0 ? [reading!.note(unread)] : []);
  return { scans, takeScan: load && take, notes, unread: () => unread };
}
