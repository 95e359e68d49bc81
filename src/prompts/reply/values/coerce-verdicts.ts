import type { CitedPassage, ClaimVerdict, Conflict } from '../fields.ts';
import { isNothing, quotedIn, toList, toText, under } from './text-values.ts';

/** Words for each verdict; the first that a text begins with counts. */
const verdictWords: readonly (readonly [RegExp, ClaimVerdict['verdict']])[] = [
  [/^\W*(?:contradict|refut|wrong)/i, 'contradicted'],
  [/^\W*(?:part|mostly)/i, 'partial'],
  // That there is no contradiction says nothing about support.
  [/^\W*(?:unsupported|(?:not?|none|missing)\b(?!\W+(?:contradict|refut|wrong)))/i, 'unsupported'],
  [/^\W*(?:support|yes|borne|true)/i, 'supported'],
];

const verdictIn = (text: string) => verdictWords.find(([pattern]) => pattern.test(text))?.[1];

function toVerdict(item: unknown): ClaimVerdict | undefined {
  const [claim, said, quote, wrong] =
    typeof item === 'object' && item !== null
      ? [
          ['claim', 'number', 'id'],
          ['verdict', 'support'],
          ['quote', 'evidence'],
          ['wrong', 'reason', 'why'],
        ].map((names) => toText(under(item, names)) ?? '')
      : String(item).split(/\s*\|\s*/);
  const number = Number(/\d+/.exec(claim ?? '')?.[0] ?? 0);
  const verdict = verdictIn(said ?? '');
  if (number === 0 || verdict === undefined) return undefined;
  const written = quote?.trim() ?? '';
  const words = /^["“„«]/.test(written) ? quotedIn(written) : written || null;
  return {
    claim: number,
    verdict,
    quote: words === null || isNothing(words) ? null : words,
    wrong: wrong === undefined || isNothing(wrong) ? '' : wrong.trim(),
  };
}

/** Reads verdicts on claims: objects, or `1 | supported | "words" | what is wrong`. */
export function toVerdicts(value: unknown): ClaimVerdict[] | undefined {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? linesOf(value) : undefined;
  return items?.map(toVerdict).filter((one) => one !== undefined);
}

/** Returns the lines of a text without signs of a list; a number that begins a line stays: it names the claim. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*[-*•]\s+/, '').trim())
    .filter((line) => line !== '' && !isNothing(line));

function toConflict(item: unknown): Conflict | undefined {
  if (typeof item === 'object' && item !== null) {
    const side = (id: string, quote: string): CitedPassage => ({
      passage: toText(under(item, [id]))?.replace(/^\D*(\d+)\D*$/, 'P$1') ?? '',
      quote: toText(under(item, [quote])) ?? null,
    });
    return [side('passage', 'quote'), side('otherpassage', 'otherquote')];
  }
  const sides = [...String(item).matchAll(/\[?P(\d+)\]?\s*["“]([^"”\n]+)["”]/g)];
  const [one, other] = sides.map(([, id, quote]): CitedPassage => ({ passage: `P${id}`, quote: quote! }));
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** Reads pairs of places: objects, or `[P1] "words" against [P2] "words"`. */
export function toConflicts(value: unknown): Conflict[] | undefined {
  const items = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? toList(value)
      : value === null
        ? []
        : undefined;
  return items?.map(toConflict).filter((one) => one !== undefined);
}
