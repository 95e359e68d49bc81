import { cutText } from '../base/text.ts';
import type { Settings } from '../config/settings.ts';
import { type Citation, type Claim, type Contradiction, hasUnfoundValues, type Tells } from '../state.ts';
import { confidenceWeights } from './confidence-weights.ts';

export interface Confidence {
  /** 0–100; null if unknown. */
  readonly confidence: number | null;
  /** The main objection to the answer, or why the confidence is unknown; null if there is no objection. */
  readonly reason: string | null;
}

/** The facts from which the confidence of an answer is computed. */
export interface Signals {
  /** How much of the question is answered, according to the reply; null if the reply does not say. */
  readonly tells: Tells | null;
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  /** The critic's score, 0–100; null if the critic was not asked. */
  readonly score: number | null;
  /** The probability, 0–1, that the passages hold the answer, according to a small model; null if it was not asked. */
  readonly answerable: number | null;
  /** Whether the weights for small models apply. They allow for the unreliable self-assessment of small models. */
  readonly isSmall: boolean;
  /** Whether the model chose its own steps through the text. */
  readonly isStepped: boolean;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Returns the features of an answer, each 0–1. */
export function featuresOf({ tells, claims, score, answerable, isStepped }: Signals): Readonly<Record<string, number>> {
  const judged = claims.flatMap(({ support }) => support ?? []);
  const mean = judged.length === 0 ? 0.5 : judged.reduce((sum, one) => sum + one, 0) / judged.length;
  return {
    tellsAll: tells === 'all' ? 1 : 0,
    tellsPart: tells === 'part' ? 1 : 0,
    faults: share(claims.filter(hasUnfoundValues).length, claims.length),
    cited: share(claims.filter(({ citations }) => citations.length > 0).length, claims.length),
    meanSupport: mean,
    leastSupport: judged.length === 0 ? 0.5 : Math.min(...judged),
    score: score === null ? 0.5 : score / 100,
    answerable: answerable ?? 0.5,
    stepped: isStepped ? 1 : 0,
  };
}

/** Returns the name of the fitted weights that apply to an answer. */
export function confidenceKindOf({ tells, score, isSmall }: Signals): keyof typeof confidenceWeights {
  if (isSmall) return 'small';
  if (tells === 'nothing') return score === null ? 'absence' : 'checkedAbsence';
  return score === null ? 'answer' : 'checkedAnswer';
}

const mostContradicted = 50;

function sumOf(signals: Signals): number {
  const features = featuresOf(signals);
  const { constant, ...weights } = confidenceWeights[confidenceKindOf(signals)] as Readonly<Record<string, number>>;
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * features[name]!, constant!);
}

const shown = (claim: Claim): string => JSON.stringify(cutText(claim.text, 80));

function reasonOf({ tells, claims }: Signals): string | null {
  const wrong = claims.filter(({ reason }) => reason !== null);
  const [least] = wrong.toSorted((one, other) => (one.support ?? 0.5) - (other.support ?? 0.5));
  if (least !== undefined) return `${shown(least)}: ${least.reason}`;
  if (tells === 'part') return 'the answer tells only a part of what was asked';
  return tells === 'nothing' ? 'the answer says that the text does not contain what was asked' : null;
}

/**
 * Computes the probability that an answer is right, 0–100, by a logistic function of `featuresOf`. Its weights were
 * fitted on labelled answers of real models and tested on other answers (docs/confidence.md). The result is at most 50
 * if a claim is contradicted. It is also at most 50 if the text lacks a value of a claim and no critic gave a score.
 */
export function computeConfidence(signals: Signals): Confidence {
  const { tells, citations } = signals;
  if (citations.length === 0 && tells !== 'nothing') return { confidence: null, reason: 'the answer cites nothing' };
  const fitted = Math.round(100 / (1 + Math.exp(-sumOf(signals))));
  const isContradicted = signals.claims.some(({ verdict }) => verdict === 'contradicted');
  // Without a critic's verdict, a value that the text lacks is unchecked.
  const isOpen = signals.score === null && signals.claims.some(hasUnfoundValues);
  const isHeld = isContradicted || isOpen;
  return { confidence: isHeld ? Math.min(fitted, mostContradicted) : fitted, reason: reasonOf(signals) };
}

/** Maps the confidence by a curve that was fitted to the user's own questions. A null curve changes nothing. */
export function onCurve({ confidence, reason }: Confidence, curve: Settings['confidenceMap']['evidence']): Confidence {
  if (curve === null || confidence === null) return { confidence, reason };
  const odds = Math.exp(-(curve.constant + (curve.slope * confidence) / 100));
  return { confidence: Math.round(100 / (1 + odds)), reason };
}

/** Limits the confidence to 50 if the answer cites one side of a contradiction in the text. */
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
