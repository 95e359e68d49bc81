import type { EventBody } from './events.ts';
import { createUsageMeter, type UsageMeter } from './usage.ts';

/** Emits the events of a run, and counts its usage from them. */
export interface RunEvents {
  emit(event: EventBody): void;
  /** Emits a warning; a repeated message is emitted once. */
  warn(message: string): void;
  readonly usage: UsageMeter;
}

/** @param tell receives each event, after the usage has counted it. */
export function createRunEvents(tell: (event: EventBody) => void): RunEvents {
  const usage = createUsageMeter();
  const warned = new Set<string>();
  function emit(event: EventBody): void {
    usage.add(event);
    tell(event);
  }
  function warn(message: string): void {
    if (!warned.has(message)) emit({ type: 'warning', message });
    warned.add(message);
  }
  return { emit, warn, usage };
}
