import type { Redactor } from '../secrets/redactor.ts';
import type { EventBody, EventListener } from './events.ts';

/** Numbers and dates events and hands them on, without secrets. */
export function createEmitter(
  runId: string,
  listeners: readonly EventListener[],
  redactor: Redactor,
): (event: EventBody) => void {
  let seq = 0;
  return (body) => {
    seq += 1;
    const event = { seq, at: new Date().toISOString(), runId, ...redactor.value(body) };
    for (const listener of listeners) listener(event);
  };
}
