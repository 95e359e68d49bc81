import { randomBytes } from 'node:crypto';

/** How finely ids tell times: so many to a second, three hex digits. */
const slots = 4_096;
let lastSlot = 0;

/**
 * A name for a run that sorts by time, also within a second: `20261121T010842-3f9a2c`. The first three of the last
 * digits are the part of the second; those of one process are in the order in which they were made.
 */
export function newRunId(): string {
  lastSlot = Math.max(lastSlot + 1, Math.floor((Date.now() / 1000) * slots));
  const second = new Date(Math.floor(lastSlot / slots) * 1000);
  const time = second.toISOString().slice(0, 19).replace(/[-:]/g, '');
  const part = (lastSlot % slots).toString(16).padStart(3, '0');
  return `${time}-${part}${randomBytes(2).toString('hex').slice(1)}`;
}
