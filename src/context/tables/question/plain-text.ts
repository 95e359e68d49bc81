/** Phrases of several words, and the word that replaces each. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:most expensive|priciest|costliest)\b/gi, 'dearest'],
  [/\bleast expensive\b/gi, 'cheapest'],
  [/\bmost recent(?:ly)?\b/gi, 'latest'],
  [/\b(most|least) (?:popular|used)\b/gi, '$1 common'],
  [/\b(?:best|top)[- ]sell(?:ing|er)s?\b/gi, 'best sold'],
  [/\b(?:highest|best|top)[- ]rated\b/gi, 'best'],
  [/\b(?:lowest|worst)[- ]rated\b/gi, 'worst'],
  // `the 500s` are calls with status 500.
  [/\b(many|the|of|first|last|all) ([1-5]\d\d)s\b/gi, '$1 $2'],
  [/\b(?:so far|to date|at the moment|right now|at all|of all time|all in all|until now|up to now)\b/gi, ' '],
];

const inTotal = /\b(?:in total|in all|altogether|all together|overall)\b/gi;
const asksAmount = /\b(?:how (?:many|much|often)|number of|count|sum|average|mean|avg)\b/i;

/**
 * Replaces phrases of several words in a question by one word; `in total` becomes a sum where nothing else is asked
 * for.
 */
export function inPlainWords(question: string): string {
  const text = phrases.reduce((rest, [phrase, word]) => rest.replace(phrase, word), question);
  if (!inTotal.test(text)) return text;
  inTotal.lastIndex = 0;
  const rest = text.replace(inTotal, ' ');
  return asksAmount.test(rest) ? rest : `sum ${rest}`;
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs of buying and selling: with them, "most" refers to the measured value of rows. */
export const tradeVerbs = listOf(
  'spend spent pay paid sell sold selling buy bought earn earned receive received bring brought cost costs purchase purchased charge charged gross grossed turn',
);

/** Words without meaning unless they name a value, column or row of a table. */
export const softFillers: ReadonlySet<string> = listOf(
  'us something anything anyone everybody so far ever just only also really actually again yet now today ones one thing things out off up back over through via using use uses used be being can get gets getting gotten give given have like want need sent send sends seen see saw am are total altogether until',
);
