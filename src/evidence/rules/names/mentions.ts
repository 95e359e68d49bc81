import { contentTerms } from '../../../context/words/terms.ts';
import type { EvidenceSentence } from '../../support/evidence-text.ts';
import { findNames } from '../../support/names.ts';

type Neighbour = 'edge' | 'place' | 'of' | 'by' | 'link' | 'sign' | 'verb' | 'name' | 'number' | 'word' | 'owned';

/** A name in a sentence, with the words beside it. */
export interface Mention {
  readonly name: string;
  readonly terms: ReadonlySet<string>;
  readonly start: number;
  readonly end: number;
  /** Whether it is the first name of its sentence. */
  readonly isFirst: boolean;
  readonly hasArticle: boolean;
  readonly isQuoted: boolean;
  /** The kinds of the words before and behind it, without articles and quotation marks. */
  readonly before: Neighbour;
  readonly after: Neighbour;
  readonly wordBefore: string;
  /** The nearest terms on each side, nearest first; the sides are exchanged in a passive such as `was bought by`. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly isPassive: boolean;
}

interface Token {
  readonly text: string;
  readonly start: number;
}

const token = /['’]s\b|[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]|['’.](?=[\p{L}\p{N}])(?!['’]s\b))*|[^\s\p{L}\p{N}]/gu;
const passive = /\b(?:is|are|was|were|be|been|being)\s+(?:\p{L}+\s+){0,2}?\p{L}+\s+by\b/u;
const quotationMark = /^["“”«»„]$/;
const article = /^(?:the|an?)$/i;
const sentenceEnd = /^[.!?]$/;

const kinds: readonly (readonly [Neighbour, RegExp])[] = [
  ['edge', sentenceEnd],
  ['owned', /^['’]s?$/],
  ['place', /^(?:in|at|from|near|into|within|to|on|across|around|outside|throughout)$/i],
  ['of', /^of$/i],
  ['by', /^by$/i],
  ['link', /^(?:with|for|against|as|like|between|and|or|than|including|alongside|&)$/i],
  [
    'verb',
    /^(?:is|are|was|were|be|been|has|had|have|will|would|can|could|did|does|do|may|might|must|said|says|won|made|became|began|took|gave|wrote|led|who|also|then|left|told|got|went|came|held|sold|bought|founded|\p{Ll}{2,}(?:ed|es))$/u,
  ],
  ['name', /^\p{Lu}/u],
  ['number', /^\p{N}/u],
  ['word', /^\p{L}/u],
];

const kindOf = (found: Token | undefined): Neighbour =>
  found === undefined ? 'edge' : (kinds.find(([, pattern]) => pattern.test(found.text))?.[0] ?? 'sign');

const reach = 3;

/** Returns the terms of the first tokens, up to the end of the sentence. */
function nearestTerms(tokens: readonly Token[]): string[] {
  const end = tokens.findIndex(({ text }) => sentenceEnd.test(text));
  const found: string[] = [];
  for (const { text } of end < 0 ? tokens : tokens.slice(0, end)) {
    if (found.length >= reach) break;
    found.push(...contentTerms(text));
  }
  return found.slice(0, reach);
}

/** Reads the words beside a name, given its first token and the one behind it. */
function besideOf(tokens: readonly Token[], first: number, behind: number) {
  let before = first - 1;
  while (before >= 0 && (quotationMark.test(tokens[before]!.text) || article.test(tokens[before]!.text))) before--;
  let after = behind;
  while (after < tokens.length && quotationMark.test(tokens[after]!.text)) after++;
  const skipped = tokens.slice(before + 1, first).map(({ text }) => text);
  const [last, next] = [tokens[before], tokens[after]];
  return {
    hasArticle: skipped.some((text) => /^the$/i.test(text)),
    isQuoted: skipped.some((text) => quotationMark.test(text)),
    before: kindOf(last),
    after: kindOf(next),
    wordBefore: last?.text.toLowerCase() ?? '',
    left: nearestTerms(tokens.slice(Math.max(0, before + 1 - 2 * reach), before + 1).reverse()),
    right: nearestTerms(tokens.slice(after, after + 2 * reach)),
  };
}

/** Returns the first token from a place on that begins at an offset or behind it. */
function tokenAt(tokens: readonly Token[], offset: number, from: number): number {
  let at = from;
  while (at < tokens.length && tokens[at]!.start < offset) at++;
  return at;
}

/** Finds the names of a sentence with the words beside each. Takes time in proportion to the text. */
export function findMentions(text: string, known: Pick<ReadonlySet<string>, 'has'>): Mention[] {
  const tokens = [...text.matchAll(token)].map(({ 0: found, index }): Token => ({ text: found, start: index }));
  const isPassive = passive.test(text);
  let behind = 0;
  return findNames(text, known).flatMap(({ name: whole, start }, place): Mention[] => {
    const name = whole.replace(/['’]s?$/, '');
    const end = start + name.length;
    const first = tokenAt(tokens, start, behind);
    behind = tokenAt(tokens, end, first);
    const beside = besideOf(tokens, first, behind);
    const [left, right] = isPassive ? [beside.right, beside.left] : [beside.left, beside.right];
    const terms = new Set(contentTerms(name));
    if (terms.size === 0) return [];
    return [{ ...beside, name, terms, start, end, isFirst: place === 0, left, right, isPassive }];
  });
}

const everyName = { has: () => true };
const known = new WeakMap<EvidenceSentence, readonly Mention[]>();

/** Returns the names of a sentence of the evidence, read once; a capitalised word that begins it counts as a name. */
export function mentionsIn(sentence: EvidenceSentence): readonly Mention[] {
  const found = known.get(sentence) ?? findMentions(sentence.text, everyName);
  known.set(sentence, found);
  return found;
}
