import { contentTerms } from '../../context/words/terms.ts';
import type { Passage } from '../../state.ts';
import { coverage, type EvidenceSentence, type EvidenceText } from '../support/evidence-text.ts';
import { isSameQuantity, readQuantities } from '../support/numbers.ts';
import { withoutFraming } from './framing.ts';
import { onlyYesOrNo } from './split-claims.ts';

/** The words of a passage that support a claim: a range of its text, end exclusive. */
export interface Span {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
  /** The share of the claim's terms that the range has, weighted by rarity, 0–1. */
  readonly covered: number;
}

const mostSentences = 3;
/** The share of terms that one more sentence must add to be quoted as well. */
const worthQuoting = 0.15;
/** The weight of the question's terms; the claim's count 1. */
const questionWeight = 0.3;
/** A claim of so few terms needs nearly all of them in the range, and some of the question's. */
const fewTerms = 3;
const leastOfQuestion = 0.3;
const leastOfClaim = 0.6;
const leastOfShort = 0.99;

/** What to look for: the claim's terms and numbers, and the question's other terms. */
interface Wanted {
  readonly terms: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  readonly numbers: ReturnType<typeof readQuantities>;
}

function readWanted(claim: string, question: string): Wanted {
  const isVerdict = onlyYesOrNo.test(claim);
  const terms = new Set(contentTerms(isVerdict ? question : withoutFraming(claim, question)));
  const asked = new Set(contentTerms(question).filter((term) => !terms.has(term)));
  return { terms, asked, numbers: readQuantities(claim).filter(({ text }) => /\d/.test(text)) };
}

interface Window extends Span {
  readonly score: number;
  readonly ofQuestion: number;
}

function rate(sentences: readonly EvidenceSentence[], wanted: Wanted, evidence: EvidenceText): Window {
  const [first, last] = [sentences[0]!, sentences.at(-1)!];
  const around = new Set(contentTerms(`${first.under} ${first.passage.source}`));
  const has = (term: string) => sentences.some((sentence) => sentence.has.has(term));
  const covered = coverage(wanted.terms, has, evidence);
  const ofQuestion = coverage(wanted.asked, (term) => has(term) || around.has(term), evidence);
  const score = covered + questionWeight * ofQuestion - worthQuoting * (sentences.length - 1);
  const start = first.start + (first.text.length - first.text.trimStart().length);
  return { passage: first.passage, start, end: last.start + last.text.trimEnd().length, covered, ofQuestion, score };
}

/** Returns the runs of one to three sentences of a passage that begin at a sentence. */
function windowsAt(all: readonly EvidenceSentence[], at: number): EvidenceSentence[][] {
  const { passage } = all[at]!;
  const same = all.slice(at, at + mostSentences).filter((sentence) => sentence.passage === passage);
  return same.map((_, last) => same.slice(0, last + 1));
}

function holdsNumbers({ passage, start, end }: Span, { numbers }: Wanted): boolean {
  if (numbers.length === 0) return true;
  const found = readQuantities(passage.text.slice(start, end));
  return numbers.every((number) => found.some((other) => isSameQuantity(number, other)));
}

function isEnough(span: Window, wanted: Wanted): boolean {
  const isShort = wanted.terms.size <= fewTerms;
  if (span.covered < (isShort ? leastOfShort : leastOfClaim)) return false;
  if (isShort && wanted.asked.size > 0 && span.ofQuestion < leastOfQuestion) return false;
  return holdsNumbers(span, wanted);
}

/**
 * Finds the words that support a claim best: one to three sentences of one passage that hold most of its terms, all of
 * its numbers and, among equals, most of the question's terms. Null where no run holds enough. A plain yes or no is
 * looked up by the words of the question.
 */
export function findSpan(claim: string, question: string, evidence: EvidenceText): Span | null {
  const wanted = readWanted(claim, question);
  if (wanted.terms.size === 0) return null;
  let best: Window | null = null;
  for (const [at, { has }] of evidence.sentences.entries()) {
    if (![...wanted.terms].some((term) => has.has(term))) continue;
    for (const sentences of windowsAt(evidence.sentences, at)) {
      const found = rate(sentences, wanted, evidence);
      if ((best === null || found.score > best.score) && isEnough(found, wanted)) best = found;
    }
  }
  return best;
}
