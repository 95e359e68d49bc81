import { randomBytes } from 'node:crypto';

/** Time resolution of ids: slots per second, written as three hex digits. */
const slots = 4_096;
let lastSlot = 0;

/**
 * Returns a run id that sorts by time, also within a second: `20261121T010842-3f9a2c`. The first three hex digits are
 * the fraction of the second, the others are random. Ids of one process sort in the order of their creation.
 */
export function newRunId(): string {
  lastSlot = Math.max(lastSlot + 1, Math.floor((Date.now() / 1000) * slots));
  const second = new Date(Math.floor(lastSlot / slots) * 1000);
  const time = second.toISOString().slice(0, 19).replace(/[-:]/g, '');
  const part = (lastSlot % slots).toString(16).padStart(3, '0');
  return `${time}-${part}${randomBytes(2).toString('hex').slice(1)}`;
}
