import { isAnswer } from './calls.ts';
import { type Hit, hitPlace, showHits } from './hits.ts';
import { resultOf, showRows } from './query.ts';
import { lengthOf, placeOf, read, type TextPlace } from './text.ts';

const mostShown = 20_000;
const mostItems = 5_000;

function beginningOf(place: TextPlace, length: number, room: number): string {
  const start = read(place, 0, Math.max(200, room - 100));
  const end = start.lastIndexOf('\n') > start.length / 2 ? start.lastIndexOf('\n') + 1 : start.length;
  return `${start.slice(0, end)}… ["${place.name}": ${end} of ${length} characters; go on with slice(${end})]`;
}

/** Formats a value for printing. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value;
  const place = placeOf(value);
  if (place !== null) {
    const length = lengthOf(place);
    const room = host.room(host.slice(place.from, Math.min(place.to, place.from + mostShown)));
    return length <= room ? read(place, 0, length) : beginningOf(place, length, room);
  }
  if (isAnswer(value) || value instanceof Error || typeof value === 'function') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value);
  const result = resultOf(value);
  if (result !== null) return showRows(value as [], result);
  return (Array.isArray(value) ? showList(value) : null) ?? showObject(value);
}

function showList(list: readonly unknown[] & { readonly more?: unknown }): string | null {
  const first = list[0];
  if (typeof first !== 'string' && hitPlace(first) === null) return null;
  const items = list.slice(0, mostItems);
  const left = list.length - items.length;
  const rest = left > 0 ? `\n… and ${left} more` : list.more === true ? '\n… and more (raise most, or skip these)' : '';
  if (items.every((item) => hitPlace(item) !== null)) return `${showHits(items as readonly Hit[])}${rest}`;
  if (!items.every((item) => typeof item === 'string')) return null;
  return `${items.join(items.some((item) => item.includes('\n')) ? '\n---\n' : '\n')}${rest}`;
}

function showPart(place: TextPlace): string {
  const length = lengthOf(place);
  return length <= 200 ? read(place, 0, length) : `["${place.name}": ${length} characters]`;
}

/** Shows an object. Reads only the items that can be shown, because a list of lines may have millions of items. */
function showObject(value: object): string {
  const seen = new Set<unknown>();
  let left = mostShown;
  function plainOf(item: unknown): unknown {
    if (left <= 0) return '…';
    if (typeof item === 'bigint') return `${item}n`;
    if (typeof item === 'function') return `[function ${item.name}]`;
    if (typeof item === 'string') left -= item.length;
    if (typeof item !== 'object' || item === null) return item ?? null;
    if (isAnswer(item)) return show(item);
    const place = placeOf(item);
    if (place !== null) return showPart(place);
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
    while (left > 0 && plain.length < Math.min(items.length, 1_000)) plain.push(plainOf(items[plain.length]));
    const more = items.length - plain.length;
    return more > 0 ? [...plain, `… and ${more} more`] : plain;
  }
  return JSON.stringify(plainOf(value));
}

/** Formats a thrown value as name, message and stack. */
export function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return thrown === null ? 'out of memory' : `thrown: ${show(thrown)}`;
  return `${String(thrown.name)}: ${String(thrown.message)}\n${String(thrown.stack)}`;
}

const mostListed = 40;

function sizeOf(value: unknown): string {
  if (typeof value === 'string') return `text of ${value.length} characters`;
  const place = placeOf(value);
  if (place !== null) return `text of ${lengthOf(place)} characters`;
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (value instanceof Map || value instanceof Set) return `${value.constructor.name} of ${value.size}`;
  if (value instanceof RegExp) return 'pattern';
  return isAnswer(value) ? 'reply' : `object of ${Object.keys(value).length}`;
}

/** Lists the variables that the code has set, with type and size. */
export function listVariables(builtIn: ReadonlySet<string>): string {
  const own = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    .filter(([name, { value }]) => !builtIn.has(name) && value !== undefined)
    .reverse();
  const listed = own.slice(0, mostListed).map(([name, { value }]) => `${name} (${sizeOf(value)})`);
  return [...listed, ...(own.length > mostListed ? [`and ${own.length - mostListed} more`] : [])].join(', ');
}
