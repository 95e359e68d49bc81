/** Pages that are pictures: found while the inputs are read, and rendered when a model is asked. */
import { RlmError } from '../errors.ts';
import type { Picture } from '../prompts/prompt.ts';
import type { FileFormat } from './picture-format.ts';
import { pageName, picturedPages, renderedTokens, type Scan, tokensOf } from './pictures.ts';
import { type ByteSource, piecesOf } from './read-file.ts';
import type { ExtractedFormat } from './readers/extractor.ts';
import { readWhole, skippedAs, UnreadableFile } from './readers/reader.ts';
import { checkPixels } from './readers/unpack-limit.ts';
import { runJob } from './readers/worker-pool.ts';
import type { InputReading, ReadOutcome } from './reading.ts';

const maxFileBytes = 20_000_000;

type Size = readonly [width: number, height: number];

const cut = () => new UnreadableFile('corrupt', 'it is cut short, or no picture');

function pngSize(bytes: Buffer): Size {
  if (bytes.length < 45 || bytes.lastIndexOf('IEND') < 0) throw cut();
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Goes through the segments up to the pixels. */
function jpegSize(bytes: Buffer): Size {
  let size: Size | null = null;
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) throw cut();
    const isSize = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isSize) size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    if (marker === 0xda) {
      if (size === null || bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < at) throw cut();
      return size;
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  throw cut();
}

function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30 || bytes.length < 8 + bytes.readUInt32LE(4)) throw cut();
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  const bits = bytes.readUInt32LE(21);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

const sizes = { 'image/png': pngSize, 'image/jpeg': jpegSize, 'image/webp': webpSize } as const;

/**
 * Checks a picture that is sent as it is.
 * @throws UnreadableFile for one that is cut short or too large.
 */
function scanOfPicture(name: string, format: Picture['mediaType'], bytes: Buffer): Scan {
  if (bytes.length > maxFileBytes)
    throw new UnreadableFile('too large', `more than ${maxFileBytes / 1e6} MB; make it smaller`);
  const [width, height] = sizes[format](bytes);
  checkPixels(width, height);
  return { name, format, bytes, pages: [null], tokens: tokensOf(width * height) };
}

/** The limits of a job about pages. */
export interface PageLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function askPages(
  format: ExtractedFormat,
  { name, bytes }: Pick<Scan, 'name' | 'bytes'>,
  limits: PageLimits,
  more: { readonly wanted?: readonly number[]; readonly library?: string } = {},
) {
  const unused = { maxChars: 0, maxUnpackRatio: 0, encoding: 'utf-8' } as const;
  return runJob({ format, name, bytes, ...unused, ...more }, limits);
}

async function scanOf(name: string, format: FileFormat, bytes: Buffer, limits: PageLimits): Promise<Scan> {
  if (format !== 'image/tiff') return scanOfPicture(name, format, bytes);
  const { drawn = [] } = await askPages('tiff-drawn', { name, bytes }, limits);
  return { name, format, bytes, pages: drawn.map(() => null), tokens: renderedTokens };
}

/**
 * Reads a file that is a picture and closes it. It becomes a document when a model has read it.
 * @throws what reading throws; the signal's reason.
 */
export async function takePicture(
  name: string,
  source: ByteSource,
  format: FileFormat,
  { scans, total: { maxBytes }, encoding, maxUnpackRatio, readTimeoutMs: timeoutMs, signal }: InputReading,
): Promise<ReadOutcome> {
  try {
    const limits = { maxBytes, encoding, maxUnpackRatio, timeoutMs, signal };
    const bytes = await readWhole({ name, bytes: piecesOf(source) }, limits);
    // The bytes of a source are valid until the next one is opened.
    const isTaken = await scans!.take(await scanOf(name, format, Buffer.from(bytes), limits));
    return { skipped: isTaken ? [] : [{ name, reason: 'picture' }], warnings: [] };
  } catch (error) {
    return { skipped: [skippedAs(name, error)], warnings: [] };
  } finally {
    source.close();
  }
}

/** Returns the document of a PDF without its empty pages. @param library the address of the library that renders. */
export async function withoutBlankPages(scan: Scan, library: string, limits: PageLimits): Promise<Scan> {
  const { drawn = [] } = await askPages('pdf-drawn', scan, limits, { wanted: picturedPages(scan), library });
  const kept = new Set(drawn);
  return { ...scan, pages: scan.pages.map((text, index) => text ?? (kept.has(index + 1) ? null : '')) };
}

/**
 * Returns the picture of a page.
 * @param hash the SHA-256 of the file.
 * @param library the address of the library that renders pages of PDFs.
 */
export function pictureOf(scan: Scan, page: number, hash: string, library: string | null, limits: PageLimits): Picture {
  const { format, bytes, tokens } = scan;
  const isSent = format !== 'application/pdf' && format !== 'image/tiff';
  const render = async () => {
    if (isSent) return bytes;
    const job = format === 'image/tiff' ? 'tiff-page' : 'pdf-page';
    return (await askPages(job, scan, limits, { wanted: [page], ...(library !== null && { library }) })).bytes;
  };
  const load = async () => {
    try {
      const { buffer, byteOffset, byteLength } = await render();
      return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const why = `${pageName(scan, page)} cannot be rendered: ${error.message || error.reason}`;
      throw new RlmError('input-unreadable', why, { hint: 'Leave the file out, or repair it.' });
    }
  };
  return { mediaType: isSent ? format : 'image/png', hash: `${hash}-${page}`, tokens, load };
}
