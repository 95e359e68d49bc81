/**
 * Compares ways to join the results by words and by meaning, with the vectors of a real model. Every other query of a
 * set belongs to the dev half, on which the weights were chosen; the rest is the test half.
 */
import type { Vectors } from '../../src/assemble/choose-vectors.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import { byScores, createHybridRetriever, type JoinLists } from '../../src/retrievers/fused.ts';
import { createLexicalRetriever } from '../../src/retrievers/lexical/retriever.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import type { Passage } from '../../src/state.ts';
import { byMeaning } from './meanings.ts';
import { mean, ndcg, recall } from './measures.ts';
import type { TestQuery, TestSet } from './test-sets.ts';

const signal = new AbortController().signal;
/** In bytes. Larger than any document, so that a document is one chunk. */
const wholeDocuments = 1_000_000;
/** The number of places that count in each list. */
const depth = 100;
/** The number of best passages among which those above the threshold are counted. */
const judged = 20;

/** Joins by reciprocal ranks, with a damping and a weight for meaning. */
const byRanks =
  (damping: number, meaningWeight: number): JoinLists =>
  (words, meaning) => {
    const found = new Map<string, Passage>();
    for (const [list, weight] of [
      [words, 1],
      [meaning, meaningWeight],
    ] as const) {
      for (const [place, passage] of list.entries()) {
        const score = weight / (damping + place + 1) + (found.get(passage.id)?.score ?? 0);
        found.set(passage.id, { ...passage, score });
      }
    }
    return [...found.values()];
  };

interface Fusion {
  readonly label: string;
  readonly join: JoinLists;
  /** The threshold for its scores; see `Retriever`. Null: the scores only give the order, and .6 is tried. */
  readonly nearBest: number | null;
}

const fusions: readonly Fusion[] = [
  { label: 'by words', join: (words) => words, nearBest: 0.6 },
  { label: 'by meaning', join: (_, meaning) => meaning, nearBest: 0.8 },
  { label: 'ranks, k 60, equal weights (before)', join: byRanks(60, 1), nearBest: null },
  { label: 'ranks, k 10, meaning .5', join: byRanks(10, 0.5), nearBest: null },
  { label: 'ranks, k 10, equal weights', join: byRanks(10, 1), nearBest: null },
  ...[0.7, 0.6, 0.5, 0.4, 0.3].map((words) => ({
    label: `scores, words ${words}, meaning ${(1 - words).toFixed(1)}`,
    join: byScores(words, 1 - words),
    nearBest: 0.7,
  })),
];

type Lists = readonly [words: readonly Passage[], meaning: readonly Passage[]];

async function listsOf({ documents, queries }: TestSet, vectors: Vectors): Promise<Lists[]> {
  const store = createContextStore(documents, { chunkBytes: wholeDocuments });
  const retrievers = [createLexicalRetriever(store), byMeaning(store, vectors)] as const;
  const find = (retriever: Retriever, { text }: TestQuery) =>
    retriever.retrieve({ text, limit: depth, maxBytes: Number.MAX_SAFE_INTEGER }, signal);
  const lists: Lists[] = [];
  for (const query of queries) lists.push([await find(retrievers[0], query), await find(retrievers[1], query)]);
  return lists;
}

const halves = (values: readonly number[]): string =>
  [0, 1].map((half) => mean(values.filter((_, place) => place % 2 === half)).toFixed(3)).join(' ');

function row({ join, nearBest }: Fusion, { queries }: TestSet, lists: readonly Lists[]): string[] {
  const ranked = lists.map((both) => [...join(...both)].sort((a, b) => b.score - a.score));
  const sources = ranked.map((passages) => passages.map(({ source }) => source));
  const rate = (measure: typeof recall, at: number) =>
    halves(queries.map(({ relevant }, place) => measure(sources[place]!, relevant, at)));
  const bar = nearBest ?? 0.6;
  const passing = ranked.map((one) => one.slice(0, judged).filter(({ score }) => score >= bar * one[0]!.score).length);
  return [rate(ndcg, 10), rate(recall, 5), rate(recall, 8), `${mean(passing).toFixed(1)} at ${bar}`];
}

const heads = ['nDCG@10', 'R@5', 'R@8', `near best of ${judged}`];

/** Prints, for each set and half, how well each fusion ranks, and how many passages are above its threshold. */
export async function printFusions(sets: Readonly<Record<string, TestSet>>, vectors: Vectors): Promise<void> {
  for (const [name, set] of Object.entries(sets)) {
    const lists = await listsOf(set, vectors);
    console.log(
      `\n${`Words and meaning, ${name}: dev test`.padEnd(42)}${heads.map((head) => head.padStart(18)).join('')}`,
    );
    for (const fusion of fusions)
      console.log(
        fusion.label.padEnd(42) +
          row(fusion, set, lists)
            .map((cell) => cell.padStart(18))
            .join(''),
      );
  }
}

/** Creates the shipped fusion over a store. */
export const shippedFusion = (store: Parameters<typeof createLexicalRetriever>[0], vectors: Vectors): Retriever =>
  createHybridRetriever({
    lexical: createLexicalRetriever(store),
    vector: byMeaning(store, vectors),
    warn: console.warn,
  });
