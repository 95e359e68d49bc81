import { createHash } from 'node:crypto';

/** Returns the first `digits` hex digits of the SHA-256 of data. */
export const sha256 = (data: string | Uint8Array, digits = 64): string =>
  createHash('sha256').update(data).digest('hex').slice(0, digits);
