/** A question that compares things: "Which is longer, the Nile or the Amazon?" */

/** Things that are asked about separately. */
export interface Comparison {
  readonly kind: 'compare';
  readonly parts: readonly { readonly thing: string; readonly question: string }[];
  /** Which answer is wanted: the largest or latest, the smallest or earliest, or whether all are the same. */
  readonly picks: 'most' | 'least' | 'same';
  /** Whether the question asks for yes or no: whether the first thing is the wanted one. */
  readonly isYesNo: boolean;
}

/** The question about one thing, and which answer is wanted. */
interface Quality {
  readonly ask: (thing: string) => string;
  readonly picks: Comparison['picks'];
}

/** Comparatives and superlatives with what they measure, and whether the most or the least is meant. */
const adjectives: ReadonlyMap<string, readonly [base: string, picks: 'most' | 'least']> = new Map(
  'long:most short-long:least large:most small-large:least big:most high:most low-high:least tall:most heavy:most light-heavy:least deep:most wide:most fast:most slow-fast:least expensive:most cheap-expensive:least strict:most'
    .split(' ')
    .flatMap((entry) => {
      const [words = '', picks = ''] = entry.split(':');
      const [word = '', base = word] = words.split('-');
      return formsOf(word).map((form) => [form, [base, picks as 'most' | 'least']] as const);
    }),
);

function formsOf(word: string): string[] {
  const stem = word.replace(/y$/, 'i').replace(/e$/, '');
  const doubled = word === 'big' ? 'bigg' : stem;
  return [`${doubled}er`, `${doubled}est`, `more ${word}`, `most ${word}`];
}

const adjective = [...adjectives.keys()].join('|');
const more = '(?<more>more|most|fewer|fewest|less|least)';
const be = '(?<be>is|are|was|were)';

const picksOf = (word: string): 'most' | 'least' =>
  /^(?:more|most|later|last|longer|longest)$/i.test(word) ? 'most' : 'least';

/** Patterns of the words between the question word and the things, with the question that each implies. */
const qualities: readonly (readonly [RegExp, (groups: Readonly<Record<string, string>>) => Quality])[] = [
  [
    new RegExp(`^(?:\\p{L}+ ){0,3}${be} (?:the )?(?<word>${adjective})$`, 'iu'),
    ({ be: verb, word }) => {
      const [base, picks] = adjectives.get(word!.toLowerCase())!;
      return { picks, ask: (thing) => `How ${base} ${verb!.toLowerCase()} ${thing}?` };
    },
  ],
  [
    new RegExp(
      `^(?:\\p{L}+ ){0,3}(?<verb>has|have|had|needs?|uses?) (?:the )?${more} (?<what>\\p{L}[\\p{L} -]{1,40})$`,
      'iu',
    ),
    ({ verb, more: word, what }) => ({
      picks: picksOf(word!),
      ask: (thing) => `How ${/^(?:less|least)$/i.test(word!) ? 'much' : 'many'} ${what} ${verb} ${thing}?`,
    }),
  ],
  [
    new RegExp(`^(?:\\p{L}+ ){0,3}(?:has|have|had) the (?<word>${adjective}) (?<what>\\p{L}[\\p{L} -]{1,40})$`, 'iu'),
    ({ word, what }) => ({
      picks: adjectives.get(word!.toLowerCase())![1],
      ask: (thing) => `What is the ${what} of ${thing}?`,
    }),
  ],
  [
    new RegExp(
      `^(?:\\p{L}+ ){0,3}${be} (?<what>\\p{L}[\\p{L} -]{1,40}) (?<edge>first|earlier|earliest|last|later|latest)$`,
      'iu',
    ),
    ({ be: verb, what, edge }) => ({
      picks: /^la/i.test(edge!) ? 'most' : 'least',
      ask: (thing) => `When ${verb} ${thing} ${what}?`,
    }),
  ],
  [
    /^(?:\p{L}+ ){0,3}(?<verb>costs?|takes?|lasts?) (?:the )?(?<more>more|most|less|least|longer|longest|shorter|shortest)$/iu,
    ({ verb, more: word }) => {
      const plain = verb!.replace(/s$/, '');
      return {
        picks: picksOf(word!),
        ask: (thing) => `How ${/^cost/i.test(plain) ? 'much' : 'long'} does ${thing} ${plain}?`,
      };
    },
  ],
];

function qualityOf(words: string): Quality | null {
  for (const [pattern, make] of qualities) {
    const found = pattern.exec(words.trim());
    if (found !== null) return make(found.groups as Record<string, string>);
  }
  return null;
}

const mostThings = 4;
const thingsIn = (words: string, joint: 'or' | 'and'): string[] =>
  words
    .split(new RegExp(`,? ${joint} |, `, 'u'))
    .map((thing) => thing.trim())
    .filter((thing) => thing !== '');

const choice =
  /^(?:which|who|what)(?: one)?(?: of (?:these|the two|them))? (?<asks>[^,:?]{3,100})[,:] (?<things>[^?]{5,200})\?*$/iu;
const than = new RegExp(
  `^(?<be>is|are|was|were) (?<one>[^,?]{2,80}?) (?<word>${adjective}) than (?<other>[^,?]{2,80}?)\\?*$`,
  'iu',
);
const same =
  /^(?:do|does|did|have|has) (?<things>[^,?]{5,120}?) (?:both )?(?:have )?the same (?<what>\p{L}[\p{L} -]{1,40}?)\?*$/iu;

function build(things: readonly string[], { ask, picks }: Quality, isYesNo: boolean): Comparison | null {
  if (things.length < 2 || things.length > mostThings) return null;
  return { kind: 'compare', parts: things.map((thing) => ({ thing, question: ask(thing) })), picks, isYesNo };
}

/**
 * Reads which things a question compares, and by what; null where its words match no known comparison. Takes time
 * linear in the question.
 */
export function readComparison(question: string): Comparison | null {
  const asked = question.trim();
  const chosen = choice.exec(asked)?.groups;
  const quality = chosen && qualityOf(chosen['asks']!);
  if (quality) return build(thingsIn(chosen['things']!, 'or'), quality, false);
  const compared = than.exec(asked)?.groups;
  const measured = compared && qualityOf(`it ${compared['be']} ${compared['word']}`);
  if (measured) return build([compared['one']!, compared['other']!], measured, true);
  const equal = same.exec(asked)?.groups;
  if (!equal) return null;
  return build(
    thingsIn(equal['things']!, 'and'),
    { picks: 'same', ask: (thing) => `What is the ${equal['what']} of ${thing}?` },
    true,
  );
}
