import { identifierParts } from '../../../context/words/identifier.ts';
import { forEachWord } from '../../../context/words/terms.ts';
import { termsOf } from '../sentences/text-index.ts';

const joiners = /[.\-/\\]/;
const hasLetter = /\p{L}/u;

/** Returns the head of a compound: an `error_rate` is a rate, and a `PoolTimeout` is a timeout. */
function headOf(word: string): string {
  const parts = word.split(joiners).flatMap(identifierParts);
  return parts.findLast((part) => hasLetter.test(part)) ?? word;
}

/**
 * Returns the terms that a text contains. A term in a compound counts only when the terms also name the compound's
 * head.
 */
export function saidTerms(text: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const said = new Set<string>();
  forEachWord(text, (word) => {
    const found = termsOf(word).filter((term) => asked.has(term));
    if (found.length === 0 || !termsOf(headOf(word)).some((term) => asked.has(term))) return;
    for (const term of found) said.add(term);
  });
  return said;
}
