import type { EventBody } from './events.ts';
import { createUsageMeter, type UsageMeter } from './usage.ts';

/** Whom a run tells what happens, and what it has used by that. */
export interface RunEvents {
  emit(event: EventBody): void;
  /** A message that was told already is not told again. */
  warn(message: string): void;
  readonly usage: UsageMeter;
}

/** @param tell told every event after the usage has counted it. */
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
