import { unit } from '../sentences/signs.ts';
import { contentTerms } from '../sentences/text-index.ts';

// "20 weeks" measures something; "error 404" and "C-1187" name it.
const quantity = new RegExp(`\\b\\d+(?:[.,]\\d+)? ?${unit}\\b|\\b\\d+(?:[.,]\\d+)? ?%`, 'giu');
const quoted = /["“„`]([^"“”„`]{2,60})["”“`]/gu;
const identifier = /[\p{L}\p{N}]*[_\d][\p{L}\p{N}_.]*|\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu;
// Short ones in capitals (API, CI, PR) are words rather than names.
const capitalised = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}_]*\p{Ll}[\p{L}\p{N}_]*|\p{Lu}{4,})/gu;
const germanWords =
  /(?<!\p{L})(?:der|die|das|dem|den|ist|sind|wurde|wird|hat|wer|wie|warum|wann|welche[rsnm]?)(?!\p{L})/iu;

/** Returns the terms of a pattern's matches in a text: of the first group, or of the whole match. */
export function termsMatching(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((found) => contentTerms(found[1] ?? found[0]));
}

function capitalsTell(text: string): boolean {
  const capitals = [...text.matchAll(/(?<!\p{L})\p{Lu}/gu)].length;
  return capitals * 2 <= text.split(/\s+/u).length + 1 && !germanWords.test(text);
}

/**
 * Returns the terms of names, numbers, identifiers and quoted words in a question: a sentence about others is no
 * answer.
 */
export function readNames(question: string): Set<string> {
  const rest = question.replace(/^\W*[\p{L}']+/u, '').replace(quantity, ' ');
  const patterns = [quoted, identifier, ...(capitalsTell(question) ? [capitalised] : [])];
  return new Set(patterns.flatMap((pattern) => termsMatching(rest, pattern)));
}
