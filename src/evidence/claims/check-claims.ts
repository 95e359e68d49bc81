import { contentTerms } from '../../context/words/terms.ts';
import type { Citation, Claim, Passage } from '../../state.ts';
import { placesOfNumbers } from '../marks.ts';
import { denials } from '../rules/negation.ts';
import { type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { type Judgement, judge } from '../support/judge.ts';
import { findSpan } from './find-span.ts';
import { withoutFraming } from './framing.ts';
import { isOtherLanguage } from './language.ts';
import { type ClaimText, onlyYesOrNo, splitClaims } from './split-claims.ts';
import { tellsNothing } from './tells-nothing.ts';

const beginsWithYesOrNo = /^[*_]{0,2}(?:yes|no)\b[*_]{0,2}[,.:;–-]\s*/iu;

/** A claim of at most so many terms is judged together with the question. */
const fewTerms = 3;

/** Judges a claim by evidence; a few words, a yes or a no together with the question that they answer. */
function judgeClaim(text: string, question: string, evidence: EvidenceText): Judgement {
  if (onlyYesOrNo.test(text)) return judge('', evidence, question);
  const plain = withoutFraming(text.replace(beginsWithYesOrNo, ''), question);
  return judge(plain, evidence, new Set(contentTerms(plain)).size <= fewTerms ? question : '');
}

const wordsOf = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

/** Whether a quote of its citations contains the claim and has as many denials. */
const isQuoted = (text: string, quotes: readonly string[]): boolean =>
  !onlyYesOrNo.test(text) &&
  quotes.some((quote) => wordsOf(quote).includes(wordsOf(text)) && denials(quote).length === denials(text).length);

const quoted: Judgement = { support: 1, verdict: 'supported', reason: null, isFault: false };

const toClaim = ({ text, start, end, ids }: ClaimText) => ({ text, start, end, citations: ids.map(Number) });

/** Returns the claims of an answer as unchecked. */
export const uncheckedClaims = (answer: string, citations: readonly Citation[], reason: string): Claim[] =>
  splitClaims(answer, placesOfNumbers(answer, citations.length)).map((claim) => {
    return { ...toClaim(claim), support: null, verdict: 'unchecked', reason };
  });

/** Creates a reader of passages as evidence that reads each set once. */
function createReader(passages: readonly Passage[]): (ids: ReadonlySet<string>) => EvidenceText {
  const known = new Map<string, EvidenceText>();
  return (ids) => {
    const chosen = passages.filter(({ id }) => ids.has(id));
    const key = chosen.map(({ id }) => id).join(' ');
    const evidence = known.get(key) ?? readEvidence(chosen);
    known.set(key, evidence);
    return evidence;
  };
}

/** The share of its support that an uncited claim keeps. */
const uncited = 0.9;

const placeOf = ({ source, startLine }: Passage, line: number) => `${source}:${startLine + line}`;

/** Finds another place that supports a claim which its own citations do not; null where there is none. */
function elsewhere(text: string, question: string, all: EvidenceText): string | null {
  const span = findSpan(text, question, all);
  if (span === null || judge(withoutFraming(text, question), all).verdict !== 'supported') return null;
  return placeOf(span.passage, span.passage.text.slice(0, span.start).split('\n').length - 1);
}

function judgeCited(text: string, question: string, cited: EvidenceText, all: EvidenceText): Judgement {
  const found = judgeClaim(text, question, cited);
  if (found.verdict !== 'unsupported') return found;
  const place = elsewhere(text, question, all);
  return place === null
    ? found
    : { ...found, verdict: 'partial', reason: `${place} says it, not the passage that is cited` };
}

function judgeUncited(text: string, question: string, all: EvidenceText): Judgement {
  const found = judgeClaim(text, question, all);
  const reason = found.reason ?? 'it cites no passage';
  return { ...found, support: uncited * found.support, reason };
}

const textOf = (ids: readonly string[], passages: readonly Passage[]): string =>
  passages.flatMap(({ id, text }) => (ids.includes(id) ? [text] : [])).join('\n');

const rounded = (support: number) => Math.round(100 * support) / 100;

/**
 * Splits an answer into claims and judges each by the passages that it cites, or by all passages where it cites none.
 * Takes time in proportion to the claims times the passages.
 * @param answer with citation numbers as marks.
 * @param passages the cited passages and the others that were read.
 */
export function checkClaims(
  question: string,
  answer: string,
  citations: readonly Citation[],
  passages: readonly Passage[],
): Claim[] {
  const read = createReader(passages);
  const all = new Set(passages.map(({ id }) => id));
  return splitClaims(answer, placesOfNumbers(answer, citations.length)).map((claim): Claim => {
    const { text, ids } = claim;
    if (ids.length === 0 && tellsNothing(text)) {
      const reason = 'it says that the text does not tell';
      return { ...toClaim(claim), support: null, verdict: 'unchecked', reason };
    }
    const own = citations.filter(({ number }) => ids.includes(String(number)));
    const against = own.length > 0 ? own.map(({ passage }) => passage) : [...all];
    if (isOtherLanguage(text, textOf(against, passages))) {
      const reason = 'the text is in another language';
      return { ...toClaim(claim), support: null, verdict: 'unchecked', reason };
    }
    const cited = read(new Set(own.map(({ passage }) => passage)));
    const quotes = own.flatMap(({ quote }) => quote ?? []);
    const judged = () =>
      ids.length > 0 ? judgeCited(text, question, cited, read(all)) : judgeUncited(text, question, read(all));
    const { verdict, reason, support } = isQuoted(text, quotes) ? quoted : judged();
    return { ...toClaim(claim), support: rounded(support), verdict, reason };
  });
}
