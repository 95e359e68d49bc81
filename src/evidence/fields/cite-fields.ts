import { contentTerms } from '../../context/words/terms.ts';
import type { Citation, Claim, Passage, Verdict } from '../../state.ts';
import { citePlace, numbered, type Uncounted, unique } from '../citations.ts';
import { checkClaims } from '../claims/check-claims.ts';
import { citeClaims } from '../claims/cite-claims.ts';
import { findSpan } from '../claims/find-span.ts';
import { type EvidenceText, readEvidence } from '../support/evidence-text.ts';
import { bestPlace, type FieldWords, placesOf, supportAt, type ValuePlace } from './place-value.ts';
import { createMatcher } from './same-value.ts';
import type { Leaf } from './write-json.ts';

/** A field of the answer with what the text says of it. */
interface Field {
  readonly leaf: Leaf;
  readonly citations: readonly Uncounted[];
  readonly support: number | null;
  readonly verdict: Verdict;
  readonly reason: string | null;
}

type Found = Omit<Field, 'leaf'>;

/** What the form says of its fields. */
export interface FieldKinds {
  /** Whether a field takes one of given values, which the text may express in other words. */
  readonly isChoice: (path: readonly string[]) => boolean;
  /** The titles and descriptions of a field and of its parents; may be empty. */
  readonly about: (path: readonly string[]) => string;
}

/** The evidence for the fields. */
interface Against {
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly evidence: EvidenceText;
  readonly leaves: readonly Leaf[];
  readonly about: FieldKinds['about'];
}

/** A text of more terms is prose; its sentences are judged as claims. */
const mostTerms = 8;

/** Reads what identifies a field: its names, its description and the other values of its object. */
function wordsOf({ path, pointer }: Leaf, { about, leaves, question, evidence }: Against): FieldWords {
  const parent = pointer.slice(0, pointer.lastIndexOf('/') + 1);
  const siblings = leaves.filter((one) => one.pointer !== pointer && one.pointer.startsWith(parent));
  const beside = path.length > 1 ? siblings.map(({ value }) => (typeof value === 'string' ? value : '')) : [];
  const names = contentTerms(path.filter((token) => !/^\d+$/.test(token)).join(' '));
  // The text may not have names such as `answer` or `maxConn`; descriptions use its own words.
  const known = names.filter((term) => evidence.having(term).length > 0);
  return {
    names: new Set([...known, ...contentTerms(about(path))]),
    beside: new Set(contentTerms(beside.join(' '))),
    asked: new Set(contentTerms(question)),
  };
}

const rounded = (support: number) => Math.round(100 * support) / 100;

/** Judges a value that the text has; its support grows with the share of related words around it. */
function foundAt(place: ValuePlace): Found {
  const { sentence, start, end } = place;
  const support = supportAt(place);
  const isNear = support >= 0.5;
  return {
    citations: [citePlace(sentence.passage, { start: sentence.start + start, end: sentence.start + end }, 'code')],
    support: rounded(support),
    verdict: isNear ? 'supported' : 'partial',
    reason: isNear ? null : 'the value stands there, with few words of the question and of the field',
  };
}

/** Judges a text that does not occur verbatim: looks up each of its sentences. */
function proseField(text: string, { question, passages }: Against): Found {
  const cited = citeClaims({ answer: text, citations: [], problems: [] }, question, passages);
  const claims = checkClaims(question, text, [], passages).filter(({ support }) => support !== null);
  if (claims.length === 0)
    return { citations: cited.citations, support: null, verdict: 'unchecked', reason: 'it claims nothing' };
  const worst = claims.reduce((least, claim) => (claim.support! < least.support! ? claim : least));
  const isFound = cited.citations.length > 0;
  return {
    citations: cited.citations.map(({ number: _, ...citation }) => citation),
    support: worst.support,
    verdict: worst.verdict,
    reason: worst.verdict === 'supported' && isFound ? null : worst.reason,
  };
}

/** Cites what bears on a value that the text need not have in these words, and leaves it unchecked. */
function choiceField({ path }: Leaf, { question, evidence }: Against): Found {
  const span = findSpan(path.join(' '), question, evidence) ?? findSpan(question, '', evidence);
  const citations = span === null ? [] : [citePlace(span.passage, span, 'code')];
  return { citations, support: null, verdict: 'unchecked', reason: 'the text need not say it in these words' };
}

const missing = (value: unknown): Found => ({
  citations: [],
  support: 0,
  verdict: 'unsupported',
  reason: `what was read does not have ${JSON.stringify(value)}`,
});

function readField(leaf: Leaf, isChoice: boolean, against: Against): Found {
  const { value } = leaf;
  if (typeof value === 'boolean') return choiceField(leaf, against);
  const holds = createMatcher(value as string | number);
  const place = bestPlace(placesOf(holds, wordsOf(leaf, against), against.evidence));
  if (place !== null) return foundAt(place);
  if (isChoice) return choiceField(leaf, against);
  if (typeof value === 'string' && new Set(contentTerms(value)).size > mostTerms) return proseField(value, against);
  return missing(value);
}

/** The answer's fields with their evidence. */
export interface CitedFields {
  /** Numbered in the order of the fields. */
  readonly citations: readonly Citation[];
  /** A claim for each field that has a value. */
  readonly claims: readonly Claim[];
  /** By JSON pointer; null fields and those without evidence have none. */
  readonly fieldCitations: Readonly<Record<string, readonly Citation[]>>;
}

const isSame = (one: Uncounted, other: Uncounted) =>
  one.passage === other.passage && one.startByte === other.startByte && one.endByte === other.endByte;

function claimOf({ leaf, support, verdict, reason }: Field, citations: readonly Citation[]): Claim {
  const { path, value, start, end } = leaf;
  const text = [path.join('.'), String(value)].filter(Boolean).join(': ');
  return { text, start, end, citations: citations.map(({ number }) => number), support, verdict, reason };
}

/**
 * Looks up each value of a form in the passages, and cites the line that has it beside most of the words of its field,
 * of its neighbours and of the question.
 */
export function citeFields(
  leaves: readonly Leaf[],
  { isChoice, about }: FieldKinds,
  question: string,
  passages: readonly Passage[],
): CitedFields {
  const filled = leaves.filter(({ value }) => value !== null && value !== '');
  const against = { question, passages, evidence: readEvidence(passages), leaves: filled, about };
  const fields = filled.map((leaf): Field => ({ leaf, ...readField(leaf, isChoice(leaf.path), against) }));
  const citations = numbered(unique(fields.flatMap((field) => field.citations)));
  const numberedOf = (field: Field) =>
    citations.filter((citation) => field.citations.some((one) => isSame(one, citation)));
  const cited = fields.filter((field) => field.citations.length > 0);
  return {
    citations,
    claims: fields.map((field) => claimOf(field, numberedOf(field))),
    fieldCitations: Object.fromEntries(cited.map((field) => [field.leaf.pointer, numberedOf(field)])),
  };
}
