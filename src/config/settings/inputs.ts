import * as z from 'zod/mini';
import { onOff, seconds, setting, whole } from './kinds.ts';

/** What is read, and how. */
export const inputs = {
  maxBytes: setting(whole(1, 100_000_000_000), 'largest input in all, in bytes; more is an error, never a cut', {
    env: ['RLM_MAX_INPUT_BYTES'],
    mayChange: true,
  }),
  encoding: setting(() => z.enum(['utf-8', 'latin1']), 'encoding of text that has no byte order mark', {
    flag: '--encoding <name>',
  }),
  strict: setting(onOff, 'a file that cannot be read is an error; else it is skipped, with a warning', {
    env: ['RLM_STRICT'],
    flag: '--strict',
    mayChange: true,
  }),
  allowUrls: setting(onOff, 'read the http and https addresses among the paths', {
    env: ['RLM_ALLOW_URLS'],
    flag: '--allow-urls',
    from: 'user',
    mayChange: true,
  }),
  maxUnpackRatio: setting(
    whole(1, 1_000_000),
    'times its size that an archive above 16 MB may unpack to; more is taken for a decompression bomb, and skipped',
    { env: ['RLM_MAX_UNPACK_RATIO'], from: 'user', mayChange: true },
  ),
  readTimeout: setting(seconds, 'time to get the text out of one PDF, page or the like, or to fetch one, in seconds', {
    mayChange: true,
  }),
};
