import { identifierParts } from '../../../context/words/identifier.ts';
import { forEachWord } from '../../../context/words/terms.ts';
import { termsOf } from '../sentences/text-index.ts';

const joiners = /[.\-/\\]/;
const hasLetter = /\p{L}/u;

/** The part of a compound that says what it is: an `error_rate` is a rate, and a `PoolTimeout` is a timeout. */
function headOf(word: string): string {
  const parts = word.split(joiners).flatMap(identifierParts);
  return parts.findLast((part) => hasLetter.test(part)) ?? word;
}

/** Which of the terms a text says. Those in a compound count only when it is a thing that the terms name. */
export function saidTerms(text: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const said = new Set<string>();
  forEachWord(text, (word) => {
    const found = termsOf(word).filter((term) => asked.has(term));
    if (found.length === 0 || !termsOf(headOf(word)).some((term) => asked.has(term))) return;
    for (const term of found) said.add(term);
  });
  return said;
}
