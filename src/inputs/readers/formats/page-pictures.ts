/** Renders pages of PDF and TIFF files as pictures. */
import { crc32, deflateSync } from 'node:zlib';
import { decode, decodeImage, toRGBA8 } from 'utif2';
import { longestSide } from '../../pictures.ts';
import type { Extract, Extraction } from '../extractor.ts';
import { UnreadableFile } from '../reader.ts';
import { checkPixels } from '../unpack-limit.ts';

/** Grey pixels, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Returns pixels as a PNG file. */
function toPng({ width, height, data }: Pixels): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) rows.set(data.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const pixels = chunk('IDAT', deflateSync(rows, { level: 3 }));
  return Buffer.concat([signature, chunk('IHDR', head), pixels, chunk('IEND', Buffer.alloc(0))]);
}

/** The part of `@hyzyla/pdfium` that is used. */
interface Pdfium {
  readonly PDFiumLibrary: { init(): Promise<{ loadDocument(bytes: Uint8Array): Promise<PdfiumDocument> }> };
}

interface PdfiumDocument {
  getPage(index: number): {
    getObjectCount(): number;
    getOriginalSize(): { readonly originalWidth: number; readonly originalHeight: number };
    render(options: { readonly scale: number; readonly colorSpace: 'Gray' }): Promise<Pixels>;
  };
  destroy(): void;
}

let library: ReturnType<Pdfium['PDFiumLibrary']['init']> | null = null;

/** Opens a PDF with the library at the path; each thread loads it once. */
async function withPdf<T>({ bytes, library: path }: Extraction, work: (pdf: PdfiumDocument) => Promise<T>): Promise<T> {
  library ??= ((await import(path!)) as Pdfium).PDFiumLibrary.init();
  const pdf = await (await library).loadDocument(bytes);
  try {
    return await work(pdf);
  } finally {
    pdf.destroy();
  }
}

/** Finds those of the pages on which anything is drawn. */
export const findDrawnPages: Extract = (extraction) =>
  withPdf(extraction, async (pdf) => {
    const drawn = extraction.wanted!.filter((page) => pdf.getPage(page - 1).getObjectCount() > 0);
    return { text: '', warnings: [], drawn };
  });

/** Renders one page of a PDF. */
export const renderPdfPage: Extract = (extraction) =>
  withPdf(extraction, async (pdf) => {
    const page = pdf.getPage(extraction.wanted![0]! - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = longestSide / Math.max(originalWidth, originalHeight);
    return { text: '', picture: toPng(await page.render({ scale, colorSpace: 'Gray' })), warnings: [] };
  });

/** Makes a picture smaller by whole numbers: each pixel becomes the mean of a square. Reads red, green, blue, alpha. */
function toGrey(rgba: Uint8Array, width: number, height: number): Pixels {
  const by = Math.max(1, Math.round(Math.max(width, height) / longestSide));
  const [columns, rows] = [Math.max(1, Math.floor(width / by)), Math.max(1, Math.floor(height / by))];
  const data = new Uint8Array(columns * rows);
  for (let at = 0; at < data.length; at++) {
    const [left, top] = [(at % columns) * by, Math.floor(at / columns) * by];
    let sum = 0;
    for (let y = top; y < Math.min(top + by, height); y++)
      for (let x = left; x < Math.min(left + by, width); x++) {
        const from = (y * width + x) * 4;
        sum += rgba[from]! * 0.299 + rgba[from + 1]! * 0.587 + rgba[from + 2]! * 0.114;
      }
    data[at] = Math.round(sum / (by * by));
  }
  return { width: columns, height: rows, data };
}

const sizeIn = (tag: unknown): number => (Array.isArray(tag) ? Number(tag[0]) : 0);

/** Returns the pages of a TIFF file; their pixels are not unpacked yet. */
function tiffPages(bytes: Buffer) {
  const pages = decode(bytes);
  if (pages.length === 0) throw new UnreadableFile('corrupt', 'it has no page');
  for (const page of pages) checkPixels(sizeIn(page['t256']), sizeIn(page['t257']));
  return pages;
}

/** Finds the pages of a TIFF file. */
export const findTiffPages: Extract = async ({ bytes }) => ({
  text: '',
  warnings: [],
  drawn: tiffPages(bytes).map((_, index) => index + 1),
});

/** Renders one page of a TIFF file. */
export const renderTiffPage: Extract = async ({ bytes, wanted }) => {
  const page = tiffPages(bytes)[wanted![0]! - 1]!;
  decodeImage(bytes, page);
  return { text: '', picture: toPng(toGrey(toRGBA8(page), page.width, page.height)), warnings: [] };
};
