/** Extracts the text of files in a thread of its own, which the main thread can end. Bundled as a file of its own. */
import { parentPort } from 'node:worker_threads';
import type { SkipReason } from '../skipped.ts';
import type { Extract, Extracted, ExtractedFormat, ExtractionJob } from './extractor.ts';
import { unreadableBy } from './reader.ts';

/** The result of a job: `bytes` is the text as UTF-8, or the picture of a page as PNG. */
export interface DoneJob extends Omit<Extracted, 'text' | 'picture'> {
  readonly kind: 'text';
  readonly bytes: Uint8Array;
}

export type ReaderOutcome =
  | DoneJob
  | { readonly kind: 'unreadable'; readonly reason: SkipReason; readonly detail: string };

const extractors: Readonly<Record<ExtractedFormat, () => Promise<Extract>>> = {
  pdf: async () => (await import('./formats/pdf.ts')).extractPdf,
  docx: async () => (await import('./formats/docx.ts')).extractDocx,
  html: async () => (await import('./formats/html.ts')).extractHtml,
  notebook: async () => (await import('./formats/notebook.ts')).extractNotebook,
  'pdf-pages': async () => (await import('./formats/page-pictures.ts')).pdfPages,
  'tiff-pages': async () => (await import('./formats/page-pictures.ts')).tiffPages,
};

/** Largest buffer. The heap limit does not count buffers, and a stream in a PDF may unpack to 1,000 times its size. */
const maxBufferBytes = 64 * 1024 * 1024;
const bomb = {
  kind: 'unreadable',
  reason: 'decompression bomb',
  detail: 'a part of it unpacks to more than 64 MB',
} as const;

/** A `Uint8Array` that reports a too large buffer at once, because the parser may catch the error. */
const limited: typeof Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: unknown[], newTarget) {
    if (typeof args[0] === 'number' && args[0] > maxBufferBytes) {
      reply(bomb);
      throw new RangeError(bomb.detail);
    }
    // With the proxy as `newTarget`, each array would have its own shape, and V8 would not optimize code that reads it.
    return Reflect.construct(target, args, newTarget === limited ? target : newTarget) as object;
  },
});
globalThis.Uint8Array = limited;
// Without DecompressionStream, which ignores this limit, the parser unpacks streams itself.
Reflect.deleteProperty(globalThis, 'DecompressionStream');

async function extract({ format, bytes, ...rest }: ExtractionJob): Promise<ReaderOutcome> {
  try {
    const run = await extractors[format]();
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { text, picture, ...extracted } = await run({ ...rest, bytes: whole });
    return { kind: 'text', bytes: picture ?? new TextEncoder().encode(text), ...extracted };
  } catch (error) {
    const { reason, message } = unreadableBy(error, format.split('-')[0]!);
    return { kind: 'unreadable', reason, detail: message };
  }
}

function reply(outcome: ReaderOutcome): void {
  parentPort?.postMessage(outcome, outcome.kind === 'text' ? [outcome.bytes.buffer as ArrayBuffer] : []);
}

parentPort?.on('message', async (job: ExtractionJob) => reply(await extract(job)));
