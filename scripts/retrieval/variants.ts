/**
 * Retrievers to compare: the shipped one, a plain one, and variants of the shipped one with one changed choice.
 */
import type { ContextStore } from '../../src/context/document.ts';
import { stem } from '../../src/context/words/stem.ts';
import { createTermReader, stopwordList } from '../../src/context/words/terms.ts';
import { type Ranking, shippedRanking } from '../../src/retrievers/lexical/ranking.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Analyse } from '../../src/retrievers/lexical/term-counter.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { withDiversity, withFeedback, withProximity } from './rerankers.ts';

export interface Variant {
  readonly label: string;
  create(store: ContextStore): Retriever;
}

const asWritten = (word: string) => word;

/** Removes only the plural endings of the S stemmer (Harman, "How effective is suffixing?", JASIS 1991). */
function singular(word: string): string {
  if (/[^ae]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}

function analysis(stemWord: (word: string) => string, dropsStopwords: boolean): { readonly analyse: Analyse } {
  const read = createTermReader(stemWord);
  const leftOut = new Set(dropsStopwords ? stopwordList.map(stemWord) : []);
  return { analyse: (text) => read(text).filter((term) => !leftOut.has(term)) };
}

const plain: Ranking = {
  ...shippedRanking,
  analyse: (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  nameWeight: 0,
  titleRepeats: 0,
  countsSurroundings: false,
  weighsRepeats: false,
};

const lexical = (label: string, ranking: Ranking): Variant => ({
  label,
  create: (store) => createLexicalRetriever(store, ranking),
});

const changed = (label: string, changes: Partial<Ranking>): Variant =>
  lexical(label, { ...shippedRanking, ...changes });

const reranked = (label: string, rerank: (inner: Retriever) => Retriever): Variant => ({
  label,
  create: (store) => rerank(createLexicalRetriever(store)),
});

export const shipped: Variant = lexical('as shipped', shippedRanking);

export const baseline: Variant = lexical('plain BM25: k1 1.2, b 0.75, lowercase words', plain);

/** Retrievers from the plain one to the shipped one, each with one more choice. */
export const added: readonly Variant[] = [
  baseline,
  lexical('+ identifiers, versions, accents', { ...plain, ...analysis(asWritten, false) }),
  lexical('+ stop words left out', { ...plain, ...analysis(asWritten, true) }),
  lexical('+ stemming (Porter2)', { ...plain, ...analysis(stem, true) }),
  lexical('+ a word said twice weighs more', { ...shippedRanking, titleRepeats: 0 }),
  lexical('+ title counts three times = as shipped', shippedRanking),
];

/** Variants of the shipped retriever with one changed choice. */
export const turned: readonly Variant[] = [
  shipped,
  changed('no stemming', { ...analysis(asWritten, true) }),
  changed('plurals only (S stemmer)', { ...analysis(singular, true) }),
  changed('stop words kept', { ...analysis(stem, false) }),
  changed('k1 0.9', { k1: 0.9 }),
  changed('k1 1.6', { k1: 1.6 }),
  changed('k1 2', { k1: 2 }),
  changed('b 0.4', { b: 0.4 }),
  changed('b 0.9', { b: 0.9 }),
  changed('a word said twice weighs the same', { weighsRepeats: false }),
  changed('title counts as the rest', { titleRepeats: 0 }),
  changed('title counts twice', { titleRepeats: 1 }),
  changed('title counts four times', { titleRepeats: 3 }),
  reranked('with feedback from the best 3, at half weight', (inner) => withFeedback(inner, 0.5)),
  reranked('with feedback from the best 3', (inner) => withFeedback(inner, 1)),
  reranked('with a bonus for neighbouring words', withProximity),
  reranked('with diversity among passages', withDiversity),
];
