import { createMemo } from '../../../base/memo.ts';
import { collapse } from '../sentences/quote.ts';
import { contentTerms, termsOf, withoutParts } from '../sentences/text-index.ts';
import { effectWords, questionWords, softWords, timeWords } from '../sentences/words.ts';
import { definingWords, type Intent, readIntents } from './intents.ts';
import { readNames, termsMatching } from './names.ts';

/** A word of the question. */
interface QueryTerm {
  readonly term: string;
  /** The word as written in the question. */
  readonly word: string;
  /** Weight before rarity: low for words that say what kind of answer is wanted, high for names and numbers. */
  readonly weight: number;
  /** Whether it says what kind of answer is wanted, so that the answer need not contain it. */
  readonly soft: boolean;
  /**
   * Whether it names the kind of answer, as after "which": a sentence with nothing else of the question is no answer.
   */
  readonly kind: boolean;
  /** Whether it is a name, a number, an identifier or in quotation marks. */
  readonly name: boolean;
}

/** A question as a query. */
export interface ClauseQuery {
  /** The question in lower case, without final punctuation. */
  readonly asked: string;
  readonly terms: readonly QueryTerm[];
  readonly intents: ReadonlySet<Intent>;
  /** The terms in the order of the question, for phrases. */
  readonly sequence: readonly string[];
  /** The terms that are not soft. */
  readonly about: ReadonlySet<string>;
  /** Number of words that an answer can share with the question, besides the kind of answer. */
  readonly needed: number;
  /** The effect of the change that is asked for: "broke checkout"; null when not stated. */
  readonly effect: string | null;
}

const dropped = new Set(termsOf(questionWords));
const soft = new Set(termsOf(softWords));
const effects = new Set(termsOf(effectWords));
const times = new Set(termsOf(timeWords));
const defining = new Set(termsOf(definingWords));
const softWeight = 0.35;
const carriedWeight = 0.6;
const kindWeight = 0.5;
const nameWeight = 1.5;
const mostTerms = 64;

// "What colour is the sky?": the word after "what" names the kind of answer. "What is the capital of …?": it names the
// thing itself.
const kindAsked = /\b(?:what|which|welche[rsnm]?)\s+([\p{L}-]+)/giu;
const thingAsked = /\b(?:what|who)\s+(?:is|are|was|were)\s+(?:the|a|an)\s+([\p{L}-]+)\s+(?:of|in|for)\b/giu;

/** Returns the effect in "Which change broke checkout?"; null where there is none. */
function effectIn(asked: string, intents: ReadonlySet<Intent>): string | null {
  if (!intents.has('change') || !(intents.has('failure') || intents.has('why'))) return null;
  return /\bchang(?:e[sd]?|ing)\s+(.*)$/isu.exec(asked)?.[1] ?? null;
}

function wordsByTerm(question: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [word] of question.matchAll(/[\p{L}\p{N}\p{M}_./-]*[\p{L}\p{N}]/gu)) {
    for (const term of termsOf(word))
      if (!words.has(term)) words.set(term, term.length > word.length / 2 ? word : term);
  }
  return words;
}

/** Whether the words of a question only say what kind of answer is wanted, but not its subject. */
export function namesNothing(question: string): boolean {
  return contentTerms(question).every((term) => dropped.has(term) || soft.has(term));
}

/** Reads a question into weighted terms and intents. */
export const readQuery = createMemo(32, interpret);

const toAsked = (question: string): string => collapse(question.toLowerCase()).replace(/[\s?.!？。]+$/u, '');

function interpret(question: string): ClauseQuery {
  const all = contentTerms(question);
  const sequence = withoutParts([...new Set(all)])
    .filter((term) => !dropped.has(term))
    .slice(0, mostTerms);
  const names = readNames(question);
  const kinds = new Set(termsMatching(question, kindAsked));
  const things = new Set(termsMatching(question, thingAsked));
  const asked = question.replace(/\([^)]*\)/gu, ' ');
  const main = new Set(contentTerms(asked));
  const intents = readIntents(asked);
  const effect = effectIn(asked, intents);
  const isSoft = (term: string): boolean =>
    soft.has(term) ||
    (effect !== null && effects.has(term)) ||
    !main.has(term) ||
    (intents.has('definition') && defining.has(term)) ||
    (times.has(term) && (kinds.has(term) || things.has(term)));
  // "Which change broke checkout?" asks for the change itself, and so does a question that has no other word.
  const asksKind = !intents.has('change') && sequence.some((term) => !isSoft(term) && !kinds.has(term));
  const isKind = (term: string): boolean => asksKind && kinds.has(term) && !isSoft(term);
  const weigh = (term: string): number => {
    if (isSoft(term)) return main.has(term) || soft.has(term) ? softWeight : carriedWeight;
    if (names.has(term) || things.has(term)) return nameWeight;
    return kinds.has(term) ? kindWeight : 1;
  };
  const words = wordsByTerm(question);
  const onlySoft = sequence.every(isSoft) && !intents.has('overview');
  const terms = sequence.map((term) => ({
    term,
    word: words.get(term) ?? term,
    weight: onlySoft ? 1 : weigh(term),
    soft: !onlySoft && isSoft(term),
    kind: isKind(term),
    name: names.has(term) && !isSoft(term),
  }));
  const about = new Set(terms.filter((term) => !term.soft).map(({ term }) => term));
  const needed = [...about].filter((term) => !isKind(term)).length;
  return { asked: toAsked(question), terms, intents, sequence, about, needed, effect };
}
