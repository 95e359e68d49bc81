/** Values as the guest prints them. */
import { isAnswer } from './calls.ts';
import { placeOf, read } from './text.ts';

/** Characters of a value that is printed, at most. */
const mostShown = 20_000;

/** Returns a value as it is printed. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value;
  const place = placeOf(value);
  if (place !== null) {
    const length = place.to - place.from;
    const start = read(place, 0, Math.min(length, 500));
    return length <= 500 ? start : `${start}… ["${place.name}": ${length} characters in all]`;
  }
  if (isAnswer(value) || value instanceof Error || typeof value === 'function') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value);
  return showObject(value);
}

/** Lists of a large text have a million items: only as many are read as can be shown. */
function showObject(value: object): string {
  const seen = new Set<unknown>();
  let left = mostShown;
  function plainOf(item: unknown): unknown {
    if (left <= 0) return '…';
    if (typeof item === 'bigint') return `${item}n`;
    if (typeof item === 'function') return `[function ${item.name}]`;
    if (typeof item === 'string') left -= item.length;
    if (typeof item !== 'object' || item === null) return item ?? null;
    if (placeOf(item) !== null || isAnswer(item)) return show(item);
    if (item instanceof RegExp || item instanceof Error || item instanceof Date) return String(item);
    if (item instanceof Promise) return '[promise: await it]';
    if (seen.has(item)) return '[seen above]';
    seen.add(item);
    left -= 10;
    if (item instanceof Map) return { Map: plainOf([...item].slice(0, 1_000)) };
    if (item instanceof Set) return { Set: plainOf([...item].slice(0, 1_000)) };
    if (Array.isArray(item)) return listOf(item);
    const entries = Object.keys(item)
      .slice(0, 1_000)
      .map((key) => [key, plainOf((item as Record<string, unknown>)[key])]);
    return Object.fromEntries(entries);
  }
  function listOf(items: readonly unknown[]): unknown[] {
    const plain: unknown[] = [];
    for (let index = 0; index < items.length; index++) {
      if (left <= 0 || index >= 1_000) {
        plain.push(`… and ${items.length - index} more`);
        break;
      }
      plain.push(plainOf(items[index]));
    }
    return plain;
  }
  return JSON.stringify(plainOf(value));
}

/** Words what was thrown: name, message and, on lines of their own, where. */
export function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrown === null ? 'out of memory' : `thrown: ${show(thrown)}`;
  return `${String(thrown.name)}: ${String(thrown.message)}\n${String(thrown.stack)}`;
}
