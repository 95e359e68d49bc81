import { wholeSource } from '../read-file.ts';
import type { ExtractedFormat } from './extractor.ts';
import { type Reader, readWhole, wholeBytes } from './reader.ts';
import { runJob } from './worker-pool.ts';

/** Reads a format that is parsed as a whole, in a thread that can be ended. */
export const createExtractingReader = (format: ExtractedFormat): Reader => ({
  async *read(source, limits) {
    const bytes = await readWhole(source, limits);
    const { name } = source;
    const maxChars = wholeBytes(limits.maxBytes);
    if (bytes.length === 0) return yield { name, reason: 'empty' };
    const { encoding, maxUnpackRatio } = limits;
    const extracted = await runJob({ format, name, bytes, maxChars, maxUnpackRatio, encoding }, limits);
    yield { name, source: wholeSource(extracted.bytes), encoding: 'utf-8', warnings: extracted.warnings };
  },
});
