/** Measures how well retrievers rank on the test sets. */
import { createContextStore } from '../../src/context/store/store.ts';
import { allFound, mean, ndcg, pairedMargin, recall } from './measures.ts';
import type { HopQuestion, TestQuery, TestSet } from './test-sets.ts';
import { added, baseline, shipped, turned, type Variant } from './variants.ts';

const signal = new AbortController().signal;

/** In bytes. Larger than any document, so that a document is one chunk. */
const wholeDocuments = 1_000_000;

/** Returns for each query the names of the documents, each at the place of its best chunk. */
async function rankAll({ documents, queries }: TestSet, variant: Variant, chunkBytes: number): Promise<string[][]> {
  const retriever = variant.create(createContextStore(documents, { chunkBytes }));
  const ranked: string[][] = [];
  for (const { text } of queries) {
    const passages = await retriever.retrieve({ text, limit: 300, maxBytes: Number.MAX_SAFE_INTEGER }, signal);
    ranked.push([...new Set(passages.map(({ source }) => source))]);
  }
  return ranked;
}

type Measure = (ranked: readonly string[], relevant: ReadonlyMap<string, number>, depth: number) => number;

const rate = (queries: readonly TestQuery[], ranked: readonly string[][], measure: Measure, depth: number): number[] =>
  queries.map(({ relevant }, index) => measure(ranked[index]!, relevant, depth));

const figure = (value: number): string => value.toFixed(3);

const half = (values: readonly number[], remainder: number): number[] =>
  values.filter((_, index) => index % 2 === remainder);

interface Column {
  readonly head: string;
  value(cranfield: readonly string[][], musique: readonly string[][]): string;
}

const hopsOf = ({ relevant }: TestQuery): number => relevant.size;

function columnsOf(cranfield: TestSet, musique: TestSet<HopQuestion>): Column[] {
  const gain = (ranked: readonly string[][]) => rate(cranfield.queries, ranked, ndcg, 10);
  const all5 = (ranked: readonly string[][]) => rate(musique.queries, ranked, allFound, 5);
  const perHops = (values: readonly number[]) =>
    [2, 3, 4]
      .map((hops) => mean(values.filter((_, index) => hopsOf(musique.queries[index]!) === hops)).toFixed(2))
      .join(' ');
  return [
    { head: 'nDCG@10', value: (c) => figure(mean(gain(c))) },
    { head: 'odd', value: (c) => figure(mean(half(gain(c), 0))) },
    { head: 'even', value: (c) => figure(mean(half(gain(c), 1))) },
    { head: 'R@100', value: (c) => figure(mean(rate(cranfield.queries, c, recall, 100))) },
    { head: 'R@2', value: (_, m) => figure(mean(rate(musique.queries, m, recall, 2))) },
    { head: 'R@5', value: (_, m) => figure(mean(rate(musique.queries, m, recall, 5))) },
    { head: '2/3/4 hops', value: (_, m) => perHops(rate(musique.queries, m, recall, 5)) },
    { head: 'all@5', value: (_, m) => figure(mean(all5(m))) },
    { head: 'odd', value: (_, m) => figure(mean(half(all5(m), 0))) },
    { head: 'even', value: (_, m) => figure(mean(half(all5(m), 1))) },
    { head: '2/3/4 hops', value: (_, m) => perHops(all5(m)) },
  ];
}

const width = 46;

function printRow(label: string, cells: readonly string[]): void {
  console.log(label.padEnd(width) + cells.map((cell) => cell.padStart(/[ /]/.test(cell) ? 16 : 9)).join(''));
}

/** Prints a table with a row for every variant, and the interval of the gain over the plain one. */
export async function printRankings(cranfield: TestSet, musique: TestSet<HopQuestion>): Promise<void> {
  const columns = columnsOf(cranfield, musique);
  const ranked = async (variant: Variant, bytes: number) =>
    [await rankAll(cranfield, variant, bytes), await rankAll(musique, variant, bytes)] as const;
  const table = async (title: string, variants: readonly Variant[], bytes = wholeDocuments) => {
    printRow(
      `\n${title}`.padEnd(width + 1),
      columns.map(({ head }) => head),
    );
    for (const variant of variants) {
      const [c, m] = await ranked(variant, bytes);
      printRow(
        variant.label,
        columns.map(({ value }) => value(c, m)),
      );
    }
  };
  await table('Each choice added (a document is a chunk)', added);
  await table('One choice turned', turned);
  await table('In chunks of 1,500 bytes, as the product has it', [baseline, shipped], 1500);
  const [plainC, plainM] = await ranked(baseline, wholeDocuments);
  const [ownC, ownM] = await ranked(shipped, wholeDocuments);
  const gain = (queries: readonly TestQuery[], own: string[][], plain: string[][], measure: Measure, depth: number) => {
    const [better, worse] = [own, plain].map((list) => rate(queries, list, measure, depth)) as [number[], number[]];
    return `${figure(mean(better) - mean(worse))} ± ${figure(pairedMargin(better, worse))}`;
  };
  console.log(
    `\nShipped over plain, with a 95 % interval over queries: nDCG@10 ${gain(cranfield.queries, ownC, plainC, ndcg, 10)}, ` +
      `R@100 ${gain(cranfield.queries, ownC, plainC, recall, 100)}, all@5 ${gain(musique.queries, ownM, plainM, allFound, 5)}`,
  );
}
