import { contentTerms } from '../../context/words/terms.ts';
import type { Citation, Passage } from '../../state.ts';
import { denials } from '../rules/negation.ts';
import { coverage, type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { namesOf } from '../support/names.ts';
import { readQuantities } from '../support/numbers.ts';

/** What speaks for a sentence that was quoted for its words as the answer of a question. */
export interface QuoteSignals {
  /** The provider's own probability, as a quarter of its log-odds. */
  readonly match: number;
  /** The share of the question's terms in the quote, by rarity, less that of the best other sentence; -1 to 1. */
  readonly ahead: number;
  /** Whether the quote has a name or a number that the question asks for: 1, 0; 0.6 where it asks for neither. */
  readonly kind: number;
  /** 1 where one of the two denies something, and the other nothing. */
  readonly polarity: number;
  /** The score of the quote's passage as a share of the best passage's. */
  readonly first: number;
  /** The share of the quote's terms that are the question's. */
  readonly dense: number;
}

const asksName = /\b(?:who|whom|whose|where)\b|\b(?:what|which) (?:country|city|state|person)\b/i;
const asksNumber =
  /\bwhen\b|\b(?:what|which) (?:year|date|century)\b|\bhow (?:many|much|long|old|far|large|big|often)\b/i;
const neither = 0.6;

function kindOf(question: string, quote: string): number {
  const asked = new Set(contentTerms(question));
  if (asksName.test(question))
    return namesOf(quote).some((name) => contentTerms(name).some((term) => !asked.has(term))) ? 1 : 0;
  if (!asksNumber.test(question)) return neither;
  const known = readQuantities(question).map(({ value }) => value);
  return readQuantities(quote).some(({ text, value }) => /\d/.test(text) && !known.includes(value)) ? 1 : 0;
}

/** How far the quote has more of the question than any sentence that does not overlap it. */
function aheadOf(asked: ReadonlySet<string>, quote: string, evidence: EvidenceText): number {
  const own = new Set(contentTerms(quote));
  const rest = evidence.sentences.filter(({ text }) => !quote.includes(text.replace(/\s+/g, ' ').trim().slice(0, 60)));
  const best = Math.max(0, ...rest.map(({ has }) => coverage(asked, (term) => has.has(term), evidence)));
  return coverage(asked, (term) => own.has(term), evidence) - best;
}

const logOdds = (match: number): number => Math.log((match + 1e-3) / (1 - match + 1e-3)) / 4;

/**
 * Reads the signals of the first quote of an answer.
 * @param match the provider's own probability, 0–1.
 * @param passages those that the answer was chosen from.
 */
export function readQuoteSignals(
  question: string,
  match: number,
  { passage: id, quote }: Pick<Citation, 'passage' | 'quote'>,
  passages: readonly Passage[],
): QuoteSignals {
  const words = quote ?? '';
  const asked = new Set(contentTerms(question));
  const said = new Set(contentTerms(words));
  const bestScore = Math.max(0, ...passages.map(({ score }) => score));
  const score = passages.find((one) => one.id === id)?.score ?? 0;
  return {
    match: logOdds(match),
    ahead: aheadOf(asked, words, readEvidence(passages)),
    kind: kindOf(question, words),
    polarity: denials(question).length > 0 === denials(words).length > 0 ? 0 : 1,
    first: bestScore === 0 ? 1 : score / bestScore,
    dense: [...said].filter((term) => asked.has(term)).length / Math.max(1, said.size),
  };
}
