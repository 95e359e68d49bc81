import { crc32, deflateSync } from 'node:zlib';
import { decode, decodeImage, toRGBA8 } from 'utif2';
import { longestSide } from '../../pictures.ts';
import type { Extract } from '../extractor.ts';
import { UnreadableFile } from '../reader.ts';
import { checkPixels } from '../unpack-limit.ts';
import { checkImages } from './pdf-streams.ts';

/** Grey pixels, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const number32 = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([number32(data.length), body, number32(crc32(body))]);
}

function toPng({ width, height, data }: Pixels): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++) rows.set(data.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([number32(width), number32(height), Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', deflateSync(rows, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Pdfium {
  readonly PDFiumLibrary: { init(): Promise<{ loadDocument(bytes: Uint8Array): Promise<PdfiumDocument> }> };
}

interface PdfiumDocument {
  getPageCount(): number;
  getPage(index: number): {
    getObjectCount(): number;
    getOriginalSize(): { readonly originalWidth: number; readonly originalHeight: number };
    render(options: { readonly scale: number; readonly colorSpace: 'Gray' }): Promise<Pixels>;
  };
  destroy(): void;
}

let library: ReturnType<Pdfium['PDFiumLibrary']['init']> | null = null;

const found = (drawn: readonly number[]) => ({ text: '', warnings: [], drawn });
const rendered = (pixels: Pixels) => ({ text: '', warnings: [], picture: toPng(pixels) });

/** Renders a page of a PDF, or lists the pages on which anything is drawn. Each thread loads the library once. */
export const pdfPages: Extract = async ({ bytes, page: number, library: path }) => {
  checkImages(bytes);
  library ??= ((await import(path!)) as Pdfium).PDFiumLibrary.init();
  const pdf = await (await library).loadDocument(bytes);
  try {
    const all = Array.from({ length: pdf.getPageCount() }, (_, index) => index + 1);
    if (number === undefined) return found(all.filter((one) => pdf.getPage(one - 1).getObjectCount() > 0));
    const page = pdf.getPage(number - 1);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = longestSide / Math.max(originalWidth, originalHeight);
    return rendered(await page.render({ scale, colorSpace: 'Gray' }));
  } finally {
    pdf.destroy();
  }
};

/** Makes an RGBA picture grey and smaller by a whole factor. Each new pixel is the mean of a square of pixels. */
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

/** Renders a page of a TIFF file, or lists all pages. */
export const tiffPages: Extract = async ({ bytes, page: number }) => {
  const pages = decode(bytes);
  if (pages.length === 0) throw new UnreadableFile('corrupt', 'it has no page');
  for (const page of pages) checkPixels(sizeIn(page['t256']), sizeIn(page['t257']));
  if (number === undefined) return found(pages.map((_, index) => index + 1));
  const page = pages[number - 1]!;
  decodeImage(bytes, page);
  return rendered(toGrey(toRGBA8(page), page.width, page.height));
};
