import type { EventBody, EventListener } from './events.ts';

/** Numbers and dates events and hands them on. */
export function createEmitter(runId: string, listeners: readonly EventListener[]): (event: EventBody) => void {
  let seq = 0;
  return (body) => {
    seq += 1;
    const event = { seq, at: new Date().toISOString(), runId, ...body };
    for (const listener of listeners) listener(event);
  };
}
