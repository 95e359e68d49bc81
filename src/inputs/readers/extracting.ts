import { renderedTokens } from '../pictures.ts';
import { wholeSource } from '../read-file.ts';
import type { ExtractedFormat } from './extractor.ts';
import { type Reader, readWhole, wholeBytes } from './reader.ts';
import { runJob } from './worker-pool.ts';

/** Creates the reader of a format that is parsed as a whole, in a thread that can be ended. */
export const createExtractingReader = (format: ExtractedFormat): Reader => ({
  async *read(source, limits) {
    const bytes = await readWhole(source, limits);
    const { name } = source;
    const maxChars = wholeBytes(limits.maxBytes);
    if (bytes.length === 0) return yield { name, reason: 'empty' };
    const { encoding, maxUnpackRatio } = limits;
    const job = { format, name, bytes, maxChars, maxUnpackRatio, encoding };
    const { bytes: text, warnings, pages } = await runJob(job, limits);
    const scanned = pages && {
      scan: { name, format: 'application/pdf', bytes, pages, tokens: renderedTokens } as const,
    };
    const extracted = { name, source: wholeSource(text), encoding: 'utf-8', warnings, isExtracted: true } as const;
    if (text.length > 0) yield { ...extracted, ...scanned };
    else if (scanned === undefined) yield { name, reason: 'empty' };
    else yield { name, reason: 'without text', detail: 'no text layer: its pages are images, or empty', ...scanned };
  },
});
