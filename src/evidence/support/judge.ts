import { findLoosely } from '../quote.ts';
import { rules } from '../rules/index.ts';
import type { Fault } from '../rules/rule.ts';
import { readClaim } from './counterparts.ts';
import type { EvidenceText } from './evidence-text.ts';
import { readSignals } from './signals.ts';
import { anyCurve, fullCurve, oddsOf } from './weights.ts';

/** How well evidence supports a claim. */
export interface Judgement {
  /** 0–1: the mean of the probabilities that the evidence supports all of the claim, and any of it. */
  readonly support: number;
  readonly verdict: 'supported' | 'partial' | 'unsupported' | 'contradicted';
  /** A clause about what is wrong, or null. */
  readonly reason: string | null;
  /** Whether a rule found the fault, rather than the fitted support. */
  readonly isFault: boolean;
}

/** The least values of the two curves for `supported` and for `partial`; chosen on WiCE. */
const leastFull = 0.35;
const leastAny = 0.8;

/** The highest support with a fault. */
const mostWith: Readonly<Record<Fault['verdict'], number>> = { contradicted: 0.15, unsupported: 0.3, partial: 0.5 };

const leastVerbatim = 12;
/** The least share of terms in four sentences at which a verbatim match is looked for. */
const leastNear = 0.9;

/** Whether the evidence has the words verbatim. */
function isVerbatim(text: string, { sentences }: EvidenceText): boolean {
  if (text.length < leastVerbatim) return false;
  const passages = new Set(sentences.map(({ passage }) => passage));
  return [...passages].some((passage) => findLoosely(passage.text, text.replace(/[.…]+$/, '')) !== null);
}

const nothing: Judgement = {
  support: 0,
  verdict: 'unsupported',
  reason: 'there is no passage to check it against',
  isFault: false,
};

/** Returns the first fault that a rule finds and that the question alone does not have. */
function faultOf(text: string, question: string, evidence: EvidenceText): Fault | null {
  const claim = readClaim(text, evidence);
  const asked = question === '' ? null : readClaim(question, evidence);
  for (const rule of Object.values(rules)) {
    const fault = rule(claim, evidence);
    if (fault && fault.reason !== (asked && rule(asked, evidence)?.reason)) return fault;
  }
  return null;
}

/**
 * Judges a claim by evidence: a fitted support, lowered by rules that say what is wrong.
 * @param question the question that a claim of a few words answers; both are judged together. Else ''.
 */
export function judge(claim: string, evidence: EvidenceText, question = ''): Judgement {
  if (evidence.sentences.length === 0) return nothing;
  const text = `${question} ${claim}`.trim();
  const sound = { reason: null, isFault: false };
  const signals = readSignals(text, evidence);
  if (signals.near > leastNear && isVerbatim(text, evidence)) return { ...sound, support: 1, verdict: 'supported' };
  const [full, any] = [oddsOf(fullCurve, signals), oddsOf(anyCurve, signals)];
  const support = (full + any) / 2;
  const fault = faultOf(text, question, evidence);
  if (fault) return { ...fault, support: Math.min(support, mostWith[fault.verdict]), isFault: true };
  if (any < leastAny) return { ...sound, support, verdict: 'unsupported', reason: 'the passage has few of its words' };
  if (full >= leastFull) return { ...sound, support, verdict: 'supported' };
  return { ...sound, support, verdict: 'partial', reason: 'the passage has only a part of its words together' };
}
