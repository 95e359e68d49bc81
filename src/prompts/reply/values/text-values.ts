/** Reading texts and lists from what a reply holds, however it is written. */
import { plainName } from '../label-aliases.ts';

const nothing =
  /^[\s\-*([]*(none(?: (?:found|identified|noted|given|stated|known|applicable))?|n\/?a|nil|nothing|keine?|aucune?|ninguna?|nessuna?|无|なし)[\s.)\]]*$/i;
const bullet = /^\s*(?:[-*•–·]|\(?\d{1,3}[.):]|\(?[a-z][.)])\s+/i;

/** A text without the fence or the bold that wraps the whole of it. */
export function unwrap(text: string): string {
  const trimmed = text.trim();
  const fenced = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(trimmed)?.[1];
  const inner = (fenced === undefined || fenced.includes('```') ? trimmed : fenced).trim();
  const bold = /^\*\*(?!\s)([\s\S]+?)\*\*$/.exec(inner)?.[1];
  return bold === undefined || bold.includes('**') ? inner : bold.trim();
}

/** A value as text; undefined when it is none, or empty. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return unwrap(value) || undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.join('\n').trim();
  return undefined;
}

function splitItems(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:```|-{3,}\s*$)/.test(line));
  if (!lines.some((line) => bullet.test(line))) return lines.map((line) => line.trim());
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, '').trim());
    else if (items.length > 0) items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

const itemText = (item: unknown): string | undefined => {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return Object.values(item)
      .map(toText)
      .find((text) => text !== undefined);
  }
  return toText(item);
};

/** The items of a value, without those that say nothing; undefined when it cannot be a list. */
export function toList(value: unknown): string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return isNothing(value) ? [] : splitItems(unwrap(value)).map(unwrap).filter(isItem);
  if (!Array.isArray(value)) return undefined;
  return value.map(itemText).filter((text): text is string => text !== undefined && isItem(text));
}

/** Whether a text is a word for nothing. */
export const isNothing = (text: string): boolean => nothing.test(text);
/** Whether a text says something. */
export const isItem = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !isNothing(text);

/** The value under the first of these names, whatever their case and signs. */
export function under(item: object, names: readonly string[]): unknown {
  const byName = new Map(Object.entries(item).map(([key, value]) => [plainName(key), value]));
  return byName.get(names.find((name) => byName.has(name)) ?? '');
}

/** What stands between the first opening and the last closing quotation mark. */
export function quotedIn(text: string): string | null {
  const start = text.search(/["“„«]/);
  const end = Math.max(...['"', '”', '“', '»'].map((mark) => text.lastIndexOf(mark)));
  return (start >= 0 && end > start && text.slice(start + 1, end).trim()) || null;
}
