import * as z from 'zod/mini';
import { setting, whole } from './kinds.ts';

/** How text is cut, and how much of it a model reads at once. */
export const context = {
  passages: setting(
    whole(1, 200),
    'passages retrieved for a question when the text does not fit whole; three of code count as one',
  ),
  chunking: setting(
    () => z.enum(['auto', 'lines', 'chars', 'paragraphs', 'markdown', 'code', 'records']),
    'where text is cut: auto (by its kind), lines, chars, paragraphs, markdown (sections), code (definitions), records (logs, JSON lines)',
    { env: ['RLM_CHUNKING'], flag: '--chunking <kind>' },
  ),
  chunkTokens: setting(whole(50, 10_000), 'size of a passage, in tokens; one of code is a third of it', {
    env: ['RLM_CHUNK_TOKENS'],
    flag: '--chunk-tokens <n>',
  }),
  overlapTokens: setting(whole(0, 5_000), 'text before a passage that is shown with it, in tokens', {
    env: ['RLM_OVERLAP_TOKENS'],
    flag: '--overlap-tokens <n>',
  }),
  maxWindowTokens: setting(
    whole(2048, 1_048_576),
    'largest window to ask the model for, in tokens; memory grows with it',
    { env: ['RLM_MAX_WINDOW_TOKENS'] },
  ),
};
