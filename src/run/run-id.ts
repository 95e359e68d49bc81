import { randomBytes } from 'node:crypto';

/** A name for a run that sorts by time: `20261121T010842-3f9a2c`. */
export function newRunId(now = new Date()): string {
  const time = now.toISOString().slice(0, 19).replace(/[-:]/g, '');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
