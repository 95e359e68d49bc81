/**
 * Asks questions about source trees with documentation and tests, from packages that `npm ci` installs, and measures
 * whether the passages that are read include the files that an answer cites. The questions in `data/*.jsonl` were
 * written from the files before any search. The shipped settings were chosen on `mammoth`. The figures of `pino` were
 * seen meanwhile, so `pino` is a second set and not held out.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Vectors } from '../../src/assemble/choose-vectors.ts';
import { isCodeName } from '../../src/context/chunkers/languages.ts';
import type { ContextStore, Document } from '../../src/context/document.ts';
import { createContextStore } from '../../src/context/store/store.ts';
import type { Query, Retriever } from '../../src/retrievers/retriever.ts';
import { createSpreadRetriever } from '../../src/retrievers/spread.ts';
import { passageOverheadBytes } from '../../src/run/door/window.ts';
import type { Passage } from '../../src/state.ts';
import { shippedFusion } from './fusions.ts';
import { mean, recall } from './measures.ts';
import { searchTwice } from './search-twice.ts';
import type { TestQuery, TestSet } from './test-sets.ts';
import { baseline, shipped, type Variant } from './variants.ts';

const root = join(import.meta.dirname, '..', '..');
const readable = /(?:\.(?:[cm]?[jt]sx?|md|json|html|sh|xml)|\/(?:NEWS|LICENSE))$/;
/** Matches a file that contains all others. */
const bundle = /mammoth\.browser(?:\.min)?\.js$/;

/** The size of eight passages of 1,500 bytes. */
const read = { passages: 8, bytes: 12_000 };

async function readTree(name: string): Promise<TestSet> {
  const folder = join(root, 'node_modules', name);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)(?:node_modules|\.)/.test(path) && readable.test(`/${path}`) && !bundle.test(path))
    .sort();
  const lines = readFileSync(join(import.meta.dirname, 'data', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const asked = lines.map((line) => JSON.parse(line) as { ask: string; cites: readonly string[] });
  for (const path of asked.flatMap(({ cites }) => cites))
    if (!paths.includes(path)) throw new Error(`${name} has no ${path}`);
  return {
    documents: paths.map((path) => ({ name: path, bytes: readFileSync(join(folder, path)) })),
    queries: asked.map(({ ask, cites }) => ({ text: ask, relevant: new Map(cites.map((path) => [path, 1])) })),
  };
}

/** Renames a document so that it does not look like code, and is cut and read like other text. */
const asText = (document: Document): Document => ({ ...document, name: `${document.name}.txt` });

const copyFolder = 'dist/cjs/';

/** Adds a slightly different copy of the code in another folder, as packages have. */
const withCopies = (documents: readonly Document[]): Document[] => [
  ...documents,
  ...documents
    .filter(({ name }) => isCodeName(name))
    .map(({ name, bytes }) => ({
      name: `${copyFolder}${name}`,
      bytes: Buffer.from(
        `"use strict";\n${Buffer.from(bytes)
          .toString()
          .replace(/\bvar\b/g, 'const')}`,
      ),
    })),
];

const originalName = (source: string): string => source.replace(/\.txt$/, '').replace(copyFolder, '');

/** Returns the best passages that fit into this share of the bytes. */
function within(found: readonly Passage[], overhead: number, share = 1): Passage[] {
  let room = share * (read.bytes + read.passages * overhead);
  return found.filter(({ startByte, endByte }) => {
    const bytes = endByte - startByte + overhead;
    const fits = bytes <= room;
    if (fits) room -= bytes;
    return fits;
  });
}

interface TreeVariant {
  readonly label: string;
  readonly variant: Variant;
  readonly isSpread?: boolean;
  /** Whether a second search follows, as in runs over other texts. */
  readonly isTwice?: boolean;
  documents(tree: readonly Document[]): Document[];
}

const same = (documents: readonly Document[]): Document[] => [...documents];

const variants: readonly TreeVariant[] = [
  { label: baseline.label, variant: baseline, documents: (tree) => tree.map(asText) },
  { label: 'the words of the shipped retriever', variant: shipped, documents: (tree) => tree.map(asText) },
  { label: '+ smaller chunks of code', variant: shipped, documents: same },
  { label: '+ spread over files = as shipped', variant: shipped, isSpread: true, documents: same },
  { label: '+ a second search, left out', variant: shipped, isSpread: true, isTwice: true, documents: same },
  { label: 'plain BM25, smaller chunks of code', variant: baseline, documents: same },
  { label: 'code twice: as shipped, not spread', variant: shipped, documents: withCopies },
  { label: 'code twice: as shipped', variant: shipped, isSpread: true, documents: withCopies },
];

/** Creates the variants that also use the vectors of a model. */
function byBoth(vectors: Vectors): TreeVariant[] {
  const label = 'words and meaning';
  const variant = { label, create: (store: ContextStore) => shippedFusion(store, vectors) };
  return [
    { label: `${label}, not spread`, variant, documents: same },
    { label: `${label}, spread over files`, variant, isSpread: true, documents: same },
  ];
}

/** The number of passages that a run retrieves from program code. */
const wanted = 60;

/** The share of the bytes for the first of two searches. The second gets the rest. */
const forFirst = 5 / 6;

async function sourcesFor(
  retriever: Retriever,
  { text }: TestQuery,
  overhead: number,
  isTwice: boolean,
): Promise<string[]> {
  const query = { text, limit: wanted, maxBytes: Number.MAX_SAFE_INTEGER };
  const find = (one: Query) => retriever.retrieve(one, new AbortController().signal);
  const first = async (one: Query) => within(await find(one), overhead, isTwice && one === query ? forFirst : 1);
  const found = within(isTwice ? await searchTwice(first, query) : await first(query), overhead);
  return found.map(({ source }) => originalName(source));
}

async function measure(
  tree: TestSet,
  { variant, isSpread, isTwice = false, documents }: TreeVariant,
  overhead: number,
) {
  const store = createContextStore(documents(tree.documents));
  const plain = variant.create(store);
  const retriever = isSpread ? createSpreadRetriever(store, plain) : plain;
  const sources: string[][] = [];
  for (const query of tree.queries) sources.push(await sourcesFor(retriever, query, overhead, isTwice));
  const recalls = sources.map((names, place) => recall(names, tree.queries[place]!.relevant, names.length));
  return `${mean(recalls).toFixed(3)} (${mean(sources.map(({ length }) => length)).toFixed(1)})`;
}

/** Prints the share of the cited files from which a passage is read. */
export async function printTrees(vectors: Vectors | null): Promise<void> {
  const names = ['mammoth', 'pino'];
  const trees = await Promise.all(names.map(readTree));
  const heads = names.flatMap((name) => [name, 'with tags']);
  const title = 'Files that answers cite, in 12,000 bytes (passages)';
  console.log(`\n${title.padEnd(54)}${heads.map((head) => head.padStart(14)).join('')}`);
  for (const variant of [...variants, ...(vectors === null ? [] : byBoth(vectors))]) {
    const cells: string[] = [];
    for (const tree of trees)
      for (const overhead of [0, passageOverheadBytes]) cells.push(await measure(tree, variant, overhead));
    console.log(variant.label.padEnd(54) + cells.map((cell) => cell.padStart(14)).join(''));
  }
}
