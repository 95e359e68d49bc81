import { contentTerms } from '../../context/words/terms.ts';
import { bestRun, coverage, type EvidenceText } from './evidence-text.ts';
import { namesOf } from './names.ts';
import { isSameQuantity, type Quantity, readQuantities } from './numbers.ts';

/** What is measured of a claim and its evidence; each 0–1. */
export interface Signals {
  /** The share of the claim's terms, by rarity, in the best four sentences in a row and their headings. */
  readonly near: number;
  /** The same in twelve sentences in a row. */
  readonly wide: number;
  /** The share of the claim's numbers that the evidence has; 1 when the claim has none. */
  readonly numbers: number;
  /** The share of the terms of the claim's names, by rarity, that the evidence has; 1 when it has no names. */
  readonly names: number;
}

const near = 4;
const wide = 12;

/** Returns the numbers of a claim that its evidence must have; `one` is hardly ever meant as a number. */
export const statedNumbers = (claim: string): Quantity[] =>
  readQuantities(claim).filter(({ text }) => text.toLowerCase() !== 'one');

/** Finds the numbers of a claim that the evidence has in any form, and their share. */
function numbersIn(claim: string, { sentences }: EvidenceText) {
  const stated = statedNumbers(claim);
  const read = stated.length === 0 ? [] : sentences.flatMap(({ quantities }) => quantities);
  const found = stated.filter((number) => read.some((other) => isSameQuantity(number, other)));
  return { found, share: stated.length === 0 ? 1 : found.length / stated.length };
}

/** Returns the terms to look for, without those of numbers that the evidence writes in another form. */
function termsOf(claim: string, found: readonly Quantity[], { having }: EvidenceText): ReadonlySet<string> {
  const other = new Set(found.flatMap(({ text }) => contentTerms(text)).filter((term) => having(term).length === 0));
  return new Set(contentTerms(claim).filter((term) => !other.has(term)));
}

function shareOfNames(claim: string, evidence: EvidenceText): number {
  const names = new Set(namesOf(claim).flatMap((name) => contentTerms(name)));
  return names.size === 0 ? 1 : coverage(names, (term) => evidence.having(term).length > 0, evidence);
}

/** Reads the signals of a claim. */
export function readSignals(claim: string, evidence: EvidenceText): Signals {
  const { found, share: numbers } = numbersIn(claim, evidence);
  const terms = termsOf(claim, found, evidence);
  return {
    near: bestRun(terms, near, evidence).share,
    wide: bestRun(terms, wide, evidence).share,
    numbers,
    names: shareOfNames(claim, evidence),
  };
}
