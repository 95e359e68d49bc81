import type { Redactor } from '../secrets/redactor.ts';
import type { EventBody, EventListener } from './events.ts';

/** Creates the function that numbers and dates an event, takes secrets out of it and passes it to every listener. */
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
