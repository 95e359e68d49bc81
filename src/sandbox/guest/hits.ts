import { cutAround } from '../../tools/page.ts';
import type { TextPlace } from './text.ts';

export interface Hit {
  readonly document: string;
  /** Number of the line in its document, from 1. */
  readonly line: number;
  /** The offset of the match in the searched text. */
  readonly index: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

interface HitPlace extends Pick<TextPlace, 'from' | 'to'> {
  /** The offset of the match in the `text` of the hit. */
  readonly at: number;
}

/** Maximum length of a shown line, in characters. */
export const lineCharacters = 400;

const places = new WeakMap<object, HitPlace>();

export function createHit<T extends Hit>(hit: T, place: HitPlace): T {
  places.set(hit, place);
  return hit;
}

/** Returns the place of a hit in the whole text; null for any other value. */
export const hitPlace = (value: unknown): HitPlace | null => places.get(value as object) ?? null;

/** Formats hits below the names of their documents. A colon after the line number marks a match. */
export function showHits(hits: readonly Hit[]): string {
  const groups: { readonly document: string; readonly lines: Map<number, string> }[] = [];
  for (const hit of hits) {
    const { document, line, text, before = [], after = [] } = hit;
    const { at } = hitPlace(hit)!;
    if (groups.at(-1)?.document !== document) groups.push({ document, lines: new Map() });
    const { lines } = groups.at(-1)!;
    const shownLine = cutAround(text, { start: at, end: at }, lineCharacters);
    for (const [index, around] of [...before, text, ...after].entries()) {
      const number = line - before.length + index;
      if (number === line) lines.set(number, `${number}: ${shownLine}`);
      else if (!lines.has(number)) lines.set(number, `${number}- ${around}`);
    }
  }
  return groups
    .flatMap(({ document, lines }) => [document, ...[...lines].sort(([a], [b]) => a - b).map(([, shown]) => shown)])
    .join('\n');
}
