import type { ToolCall } from '../provider.ts';
import { asObject, type Json, parseObject } from './json.ts';

/** Returns a call's arguments as an object, whatever the model wrote: servers accept nothing else. */
export function argumentsOf({ arguments: written }: ToolCall): Json {
  const value = typeof written === 'string' ? (parseObject(written) ?? written) : (written ?? {});
  return typeof value === 'object' && !Array.isArray(value) ? asObject(value) : { value };
}
