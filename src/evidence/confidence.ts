import type { Settings } from '../config/settings.ts';
import { contentTerms } from '../context/words/terms.ts';
import type { Citation, Claim, Contradiction, Passage } from '../state.ts';

/** A confidence, 0–100, with the reason why it is low; null with the reason why there is none. */
export interface Confidence {
  readonly confidence: number | null;
  readonly reason: string | null;
}

/**
 * Returns the share of the question's words that the passages hold. One more word counts as not found, so that a short
 * question proves less.
 */
function coverageOf(question: string, passages: readonly Passage[]): number {
  const asked = new Set(contentTerms(question));
  const found = new Set(passages.flatMap(({ text }) => contentTerms(text)));
  return [...asked].filter((term) => found.has(term)).length / (asked.size + 1);
}

/** Returns the passages that supported or partial claims cite: what a wrong claim cites adds nothing. */
function borneOut(claims: readonly Claim[], passages: readonly Passage[], citations: readonly Citation[]) {
  const good = claims.filter(({ verdict }) => verdict === 'supported' || verdict === 'partial');
  const numbers = new Set(good.flatMap((claim) => claim.citations));
  const isMarked = claims.some((claim) => claim.citations.length > 0);
  const ids = new Set(citations.filter(({ number }) => !isMarked || numbers.has(number)).map(({ passage }) => passage));
  return passages.filter(({ id }) => ids.has(id));
}

const shown = (claim: Claim): string =>
  JSON.stringify(claim.text.length > 80 ? `${claim.text.slice(0, 79)}…` : claim.text);

/**
 * Computes the confidence in an answer from its evidence alone: the share of the question that the passages of its
 * claims cover, times the average of the claims' mean support and their least support. Null when nothing is cited or
 * no claim was checked. It orders answers and is not fitted: see docs/confidence.md.
 */
export function computeConfidence(
  question: string,
  claims: readonly Claim[],
  passages: readonly Passage[],
  citations: readonly Citation[],
): Confidence {
  const checked = claims.filter(({ support }) => support !== null);
  if (citations.length === 0) return { confidence: null, reason: 'the answer cites nothing' };
  if (checked.length === 0) return { confidence: null, reason: 'no claim of the answer could be checked' };
  const worst = checked.reduce((least, claim) => (claim.support! < least.support! ? claim : least));
  const mean = checked.reduce((sum, { support }) => sum + support!, 0) / checked.length;
  const covered = coverageOf(question, borneOut(claims, passages, citations));
  const confidence = Math.round(100 * covered * ((mean + worst.support!) / 2));
  if (worst.reason !== null) return { confidence, reason: `${shown(worst)}: ${worst.reason}` };
  return { confidence, reason: covered < 0.5 ? 'the passages hold few of the words of the question' : null };
}

/** Maps the confidence by a curve that was fitted to the user's own questions; a null curve leaves it as it is. */
export function onCurve({ confidence, reason }: Confidence, curve: Settings['confidenceMap']['evidence']): Confidence {
  if (curve === null || confidence === null) return { confidence, reason };
  const odds = Math.exp(-(curve.constant + (curve.slope * confidence) / 100));
  return { confidence: Math.round(100 / (1 + odds)), reason };
}

/** The highest confidence where another place contradicts one that the answer cites. */
const mostContradicted = 50;

/** Limits the confidence to 50 where a contradiction of the text bears on the answer. */
export function holdDown(
  found: Confidence,
  contradictions: readonly Contradiction[],
  citations: readonly Pick<Citation, 'passage'>[],
): Confidence {
  const cited = new Set(citations.map(({ passage }) => passage));
  const bearing = contradictions.find(({ sides }) => sides.some(({ passage }) => cited.has(passage)));
  if (bearing === undefined || found.confidence === null || found.confidence <= mostContradicted) return found;
  return { confidence: mostContradicted, reason: bearing.text };
}
