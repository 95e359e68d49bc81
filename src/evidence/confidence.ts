import { contentTerms } from '../context/words/terms.ts';
import type { Citation, Passage } from '../state.ts';
import { markedIds } from './marks.ts';

const wordsOf = (text: string): Set<string> => new Set(contentTerms(text));

/** The share of `wanted` that occurs in `found`, 0–1; 0 when nothing is wanted. */
function share(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  return [...wanted].filter((term) => found.has(term)).length / wanted.size;
}

const marksOf = /\[P\d+\]/g;

const verdict = /^\P{L}*(?:yes|no)\b/iu;

/** A yes or a no with no other word that claims something: what it claims is the question. */
const isVerdict = (sentence: string) => verdict.test(sentence) && wordsOf(sentence.replace(verdict, '')).size === 0;

/** Questions, which head the parts of an answer, and lines without words claim nothing. */
const isClaim = (sentence: string) =>
  !/[?？]\s*$/.test(sentence) && (wordsOf(sentence).size > 0 || isVerdict(sentence));

/**
 * A claim is a sentence or a line of the answer; a mark that follows the full stop belongs to the sentence before it.
 */
function claimsOf(answer: string): string[] {
  const lines = answer.split('\n');
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const sentences = lines.flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()));
  const claims: string[] = [];
  for (const sentence of sentences) {
    if (sentence.replace(marksOf, '').trim() === '' && claims.length > 0) claims[claims.length - 1] += ` ${sentence}`;
    else if (isClaim(sentence.replace(marksOf, ''))) claims.push(sentence);
  }
  return claims;
}

/**
 * How far the cited passages bear a claim out by their words; a claim that cites nothing counts half. A yes or a no is
 * borne out by all that is cited, as it rarely has a mark.
 */
function support(
  claim: string,
  asked: ReadonlySet<string>,
  cited: ReadonlyMap<string, ReadonlySet<string>>,
  all: ReadonlySet<string>,
): number {
  const said = claim.replace(marksOf, '');
  const own = markedIds(claim).flatMap((id) => [...(cited.get(id) ?? [])]);
  if (isVerdict(said)) return share(asked, own.length > 0 ? new Set(own) : all);
  const wanted = wordsOf(said.replace(verdict, ''));
  return own.length > 0 ? share(wanted, new Set(own)) : share(wanted, all) / 2;
}

/**
 * Confidence in an answer, 0–100, from its evidence alone: the share of the question's words that the cited passages
 * hold, with one more word counted as not found, so that a short question proves less, times the mean share of each
 * claim's words that the passages it cites hold. Null when nothing is cited or nothing is claimed. A first,
 * uncalibrated measure: see docs/decisions/0004-confidence.md.
 * @param answer with passage ids as marks.
 */
export function computeConfidence(
  question: string,
  answer: string,
  citations: readonly Citation[],
  passages: readonly Passage[],
): number | null {
  const claims = claimsOf(answer);
  if (citations.length === 0 || claims.length === 0) return null;
  const ids = new Set(citations.map(({ passage }) => passage));
  const cited = new Map(passages.filter(({ id }) => ids.has(id)).map(({ id, text }) => [id, wordsOf(text)]));
  const all = new Set([...cited.values()].flatMap((words) => [...words]));
  const asked = wordsOf(question);
  const retrieval = (share(asked, all) * asked.size) / (asked.size + 1);
  const supported = claims.reduce((total, claim) => total + support(claim, asked, cited, all), 0) / claims.length;
  return Math.round(100 * retrieval * supported);
}
