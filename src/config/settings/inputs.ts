import * as z from 'zod/mini';
import { onOff, seconds, setting, whole } from './kinds.ts';

/** The inputs that are read, and how. */
export const inputs = {
  maxBytes: setting(
    whole(1, 100_000_000_000),
    'largest total input, in bytes; more is an error, and text is never cut',
    {
      env: ['RLM_MAX_INPUT_BYTES'],
      mayChange: true,
    },
  ),
  encoding: setting(() => z.enum(['utf-8', 'latin1']), 'encoding of text that has no byte order mark', {
    flag: '--encoding <name>',
  }),
  strict: setting(onOff, 'make an unreadable file an error; otherwise it is skipped with a warning', {
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
    'how many times its size an archive above 16 MB may unpack to; one that exceeds this is skipped as a decompression bomb',
    { env: ['RLM_MAX_UNPACK_RATIO'], from: 'user', mayChange: true },
  ),
  readTimeout: setting(
    seconds,
    'time to extract the text of one PDF, web page or similar file, or to fetch one, in seconds',
    {
      mayChange: true,
    },
  ),
};
