import * as z from 'zod/mini';
import { orNull, setting, whole } from './kinds.ts';

/** How text is divided into chunks, and how much of it a model reads at once. */
export const context = {
  passages: setting(
    whole(1, 200),
    'passages retrieved for a question when the whole text does not fit; three passages of code count as one',
  ),
  chunking: setting(
    () => z.enum(['auto', 'lines', 'chars', 'paragraphs', 'markdown', 'code', 'records']),
    'how text is divided into chunks: auto (by its kind), lines, chars, paragraphs, markdown (sections), code (definitions), records (logs, JSON lines)',
    { env: ['RLM_CHUNKING'], flag: '--chunking <kind>' },
  ),
  chunkTokens: setting(whole(50, 10_000), 'size of a passage, in tokens; a passage of code has a third of it', {
    env: ['RLM_CHUNK_TOKENS'],
    flag: '--chunk-tokens <n>',
  }),
  overlapTokens: setting(whole(0, 5_000), 'text before a passage that the model sees with it, in tokens', {
    env: ['RLM_OVERLAP_TOKENS'],
    flag: '--overlap-tokens <n>',
  }),
  maxWindowTokens: setting(
    orNull(whole(2048, 1_048_576)),
    'largest context window to use, in tokens; null: what the model has, at most 16,384 where its server loads the model anew for a larger one (memory use grows with it)',
    { env: ['RLM_MAX_WINDOW_TOKENS'] },
  ),
};
