import type { ExtractedFormat } from './extractor.ts';
import { type Reader, readWhole, streamOf } from './reader.ts';
import { runJob } from './worker-pool.ts';

/** Reads a format that is parsed as a whole, in a thread that can be ended. */
export const createExtractingReader = (format: ExtractedFormat): Reader => ({
  async *read(source, limits) {
    const bytes = await readWhole(source, limits);
    const { name } = source;
    if (bytes.length === 0) return yield { name, reason: 'empty' };
    const extracted = await runJob({ format, name, bytes, maxChars: limits.maxBytes }, limits);
    yield { name, bytes: streamOf(extracted.bytes), warnings: extracted.warnings };
  },
});
