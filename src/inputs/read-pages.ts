/** While inputs are read, finds the pages that are pictures. Renders such a page later, when a model has to read it. */
import { RlmError } from '../errors.ts';
import type { Picture } from '../prompts/prompt.ts';
import { type FileFormat, pageName, pixelTokens, renderedTokens, type Scan } from './pictures.ts';
import { type ByteSource, copiesOf } from './read-file.ts';
import type { ExtractedFormat, Extraction } from './readers/extractor.ts';
import { readWhole, skippedAs, UnreadableFile } from './readers/reader.ts';
import { checkPixels } from './readers/unpack-limit.ts';
import { type JobLimits, runJob } from './readers/worker-pool.ts';
import type { InputReading, ReadOutcome } from './reading.ts';

const maxFileBytes = 20_000_000;

/** Whether a JPEG or PNG has no end marker in its second half. A marker in the first half may belong to a thumbnail. */
const isCut = (format: Picture['mediaType'], bytes: Buffer): boolean =>
  (format === 'image/jpeg' && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < bytes.length / 2) ||
  (format === 'image/png' && bytes.lastIndexOf('IEND') < bytes.length / 2);

async function scanOfPicture(name: string, format: Picture['mediaType'], bytes: Buffer): Promise<Scan> {
  if (bytes.length > maxFileBytes)
    throw new UnreadableFile('too large', `more than ${maxFileBytes / 1e6} MB; make it smaller`);
  const { imageSize } = await import('image-size');
  const none = { width: 0, height: 0 };
  const sized = async () => imageSize(bytes);
  const { width, height } = isCut(format, bytes) ? none : await sized().catch(() => none);
  checkPixels(width, height);
  return { name, format, bytes, pages: [null], tokens: pixelTokens(width * height) };
}

function runPageJob(
  format: ExtractedFormat,
  { name, bytes }: Pick<Scan, 'name' | 'bytes'>,
  limits: JobLimits,
  more: Pick<Extraction, 'page' | 'library'> = {},
) {
  const unused = { maxChars: 0, maxUnpackRatio: 0, encoding: 'utf-8' } as const;
  return runJob({ format, name, bytes, ...unused, ...more }, limits);
}

async function scanOf(name: string, format: FileFormat, bytes: Buffer, limits: JobLimits): Promise<Scan> {
  if (format !== 'image/tiff') return scanOfPicture(name, format, bytes);
  const { drawn = [] } = await runPageJob('tiff-pages', { name, bytes }, limits);
  return { name, format, bytes, pages: drawn.map(() => null), tokens: renderedTokens };
}

/** Reads a file that is a picture, and closes the source. */
export async function takePicture(
  name: string,
  source: ByteSource,
  format: FileFormat,
  { takeScan, total: { maxBytes }, encoding, maxUnpackRatio, readTimeoutMs: timeoutMs, signal }: InputReading,
): Promise<ReadOutcome> {
  try {
    const limits = { maxBytes, encoding, maxUnpackRatio, timeoutMs, signal };
    const bytes = await readWhole({ name, bytes: copiesOf(source) }, limits);
    const isTaken = await takeScan!(await scanOf(name, format, bytes, limits));
    return { skipped: isTaken ? [] : [{ name, reason: 'picture' }], warnings: [] };
  } catch (error) {
    return { skipped: [skippedAs(name, error)], warnings: [] };
  } finally {
    source.close();
  }
}

/** Returns a PDF with the text '' for each blank page. `library`: the address of the renderer. */
export async function withoutBlankPages(scan: Scan, library: string, limits: JobLimits): Promise<Scan> {
  const { drawn = [] } = await runPageJob('pdf-pages', scan, limits, { library });
  const kept = new Set(drawn);
  return { ...scan, pages: scan.pages.map((text, index) => text ?? (kept.has(index + 1) ? null : '')) };
}

/** Returns the picture of a page; `hash` is the SHA-256 of the file, `library` the address of the renderer. */
export function pictureOf(scan: Scan, page: number, hash: string, library: string | null, limits: JobLimits): Picture {
  const { format, bytes, tokens } = scan;
  const isSentAsIs = format !== 'application/pdf' && format !== 'image/tiff';
  const render = async () => {
    if (isSentAsIs) return bytes;
    const job = format === 'image/tiff' ? 'tiff-pages' : 'pdf-pages';
    return (await runPageJob(job, scan, limits, { page, ...(library !== null && { library }) })).bytes;
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
  return { mediaType: isSentAsIs ? format : 'image/png', hash: `${hash}-${page}`, tokens, load };
}
