import type { Sentence } from '../../../context/sentences/sentences.ts';
import { withoutMarks } from './marks.ts';
import { withoutControls } from './text-index.ts';

/** A sentence as it is shown, and its words as in the passage. */
export interface Quotation {
  readonly shown: string;
  readonly quote: string;
}

const longest = 300;
const lead = 60;

/** Collapses white space to single spaces. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns where the part of a text with most of the words begins, at one of them; 0 where it has none. */
function fullestFrom(text: string, words: ReadonlySet<string>): number {
  const lower = text.toLowerCase();
  const places = [...words].flatMap((word) => {
    const place = lower.indexOf(word);
    return place < 0 ? [] : place;
  });
  const inside = (from: number) => places.filter((place) => place >= from && place < from + longest - lead).length;
  return places
    .sort((one, other) => one - other)
    .reduce((best, from) => (inside(from) > inside(best) ? from : best), places[0] ?? 0);
}

/** Returns the part of a long text around the matching words, cut at spaces where possible. */
function windowOf(text: string, words: ReadonlySet<string>): { start: number; end: number } {
  if (text.length <= longest) return { start: 0, end: text.length };
  const wanted = Math.min(Math.max(0, fullestFrom(text, words) - lead), text.length - longest);
  const space = wanted === 0 ? -1 : text.indexOf(' ', wanted);
  const start = space >= 0 && space < wanted + lead ? space + 1 : wanted;
  const last = text.lastIndexOf(' ', start + longest);
  const end = start + longest < text.length && last > start + longest - lead ? last : start + longest;
  return { start: offPair(text, start), end: offPair(text, Math.min(end, text.length)) };
}

function offPair(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

type Replacement = readonly [RegExp, string];

/** Marks before the words of a line, which are left out of a quote. */
const leading: Partial<Record<Sentence['kind'], RegExp>> = {
  heading: /^\s*#+\s*/,
  item: /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/,
  comment: /^\s*(?:\/\*\*?|\/\/+|\*|#+|--)\s*/,
};

const markdown: readonly Replacement[] = [
  [/!?\[([^\]]+)\]\([^()\s]*(?:\s"[^"]*")?\)/g, '$1'],
  [/(?<![\p{L}\p{N}*])\*\*(?=[\p{L}\p{N}"'`(])([^*\n]+?)\*\*(?![\p{L}\p{N}*/])/gu, '$1'],
];

const furniture: Partial<Record<Sentence['kind'], readonly Replacement[]>> = {
  heading: [[/^\s*#+\s*|\s+#+\s*$/g, ''], ...markdown],
  item: [[/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, ''], ...markdown],
  row: [[/^\s*\|\s*|\s*\|\s*$/g, ''], [/\s*(?<!\\)\|\s*/g, ' · '], ...markdown],
  prose: markdown,
  comment: [
    [/\s*\*\/[ \t]*$/gm, ''],
    [/^\s*(?:\/\*\*?|\/\/+|\*|#+|--)\s?(?:- )?/gm, ''],
  ],
};

/** Removes the marks of a list, a heading, a table or a comment, and everything that looks like a citation mark. */
function tidy(text: string, kind: Sentence['kind']): string {
  const plain = (furniture[kind] ?? []).reduce((rest, [pattern, by]) => rest.replace(pattern, by), text);
  return withoutMarks(collapse(withoutControls(plain).replace(/```\w*/g, ' ')));
}

/** Quotes a sentence; an overlong one is shortened with an ellipsis. */
export function quoteSentence(sentence: Sentence, words: ReadonlySet<string>): Quotation {
  const text = sentence.cutBefore ? sentence.text : sentence.text.replace(leading[sentence.kind] ?? '', '');
  const whole = collapse(text);
  const { start, end } = windowOf(whole, words);
  const quote = whole.slice(start, end).trim();
  // Line marks are recognised by line breaks, which only a complete sentence still has.
  const shown =
    whole.length <= longest
      ? tidy(text, sentence.kind)
      : tidy(quote, sentence.kind === 'code' || sentence.kind === 'row' ? sentence.kind : 'prose');
  const before = start > 0 || sentence.cutBefore ? '… ' : '';
  const after = end < whole.length || sentence.cutAfter ? ' …' : '';
  return { shown: `${before}${shown}${after}`, quote };
}
