/** Tests vector search on a real OpenSearch: for passages that words cannot find, combined with words, and errors. */
import { termKey } from '../../src/retrievers/lexical/key-table.ts';
import type { Retriever } from '../../src/retrievers/retriever.ts';
import { createMeaning } from '../../src/retrievers/vector/retriever.ts';
import { passagesWithNeedles } from '../chroma-needles.ts';
import { deletePassage, fillIndex } from './index-client.ts';

const passageCount = 2_000;
const needleCount = 50;
const dimensions = 256;

/** Simulates a model: `sense7q` and `meaning7q` have the same vector. Hashes spread words over the dimensions. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const key = termKey(word.replace(/^sense/, 'meaning'));
    vector[Math.floor(key / 2) % dimensions]! += (key % 2 === 0 ? 1 : -1) * (/\d/.test(word) ? 9 : 1);
  }
  return vector;
}

/** The test's functions that open an index, search, and report a check. */
export interface Checks {
  open(index: string): Promise<{ createRetriever(meaning: ReturnType<typeof createMeaning> | null): Retriever }>;
  search(retriever: Retriever, text: string): Promise<readonly { readonly text: string }[]>;
  expectThat(what: string, holds: boolean, said?: string): void;
  outcome(work: Promise<readonly unknown[]>): Promise<string>;
}

const question = (needle: number): string => `what of sense${needle}q`;
const answer = (needle: number): string => `meaning${needle}q`;

async function fill(url: string): Promise<void> {
  const { passages } = passagesWithNeedles(passageCount);
  const texts = passages.map((text, index) => (index < needleCount ? `${answer(index)} is so.` : text));
  const mapping = {
    type: 'knn_vector',
    dimension: dimensions,
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
  };
  await fillIndex(
    url,
    'near',
    texts.map((text) => ({ text, vector: [...vectorOf(text)] })),
    { settings: { 'index.knn': true }, mappings: { properties: { vector: mapping } } },
  );
}

/** Tests vector search on a server with the plugin. */
export async function checkVectors(url: string, { open, search, expectThat, outcome }: Checks): Promise<void> {
  await fill(url);
  const meaning = (isAlone: boolean, length = dimensions) =>
    createMeaning(async (texts) => texts.map((text) => vectorOf(text).slice(0, length)), isAlone, console.warn);
  const needles = Array.from({ length: needleCount }, (_, needle) => needle);
  const found = async (retriever: Retriever, asked = needles) => {
    const lists = await Promise.all(asked.map((needle) => search(retriever, question(needle))));
    return lists.filter((list, place) => list.some(({ text }) => text.includes(answer(asked[place]!)))).length;
  };
  const server = await open('near?vector=vector');
  const byWords = await found(server.createRetriever(null));
  const alone = await found(server.createRetriever(meaning(true)));
  const both = await found(server.createRetriever(meaning(false)));
  expectThat(
    'vectors find what words cannot',
    byWords === 0 && alone === needleCount,
    `${alone} of ${needleCount}, words ${byWords}`,
  );
  expectThat('vectors beside words find it, too', both === needleCount, `${both} of ${needleCount}`);
  const rare = await search(server.createRetriever(meaning(false)), 'quartz60q');
  expectThat(
    'words beside vectors find a rare word',
    rare.some(({ text }) => text.includes('quartz60q')),
  );
  const [gone, kept] = [needles.slice(0, needleCount / 2), needles.slice(needleCount / 2)];
  for (const needle of gone) await deletePassage(url, 'near', `${needle}`);
  const near = server.createRetriever(meaning(true));
  const [stale, left] = [await found(near, gone), await found(near, kept)];
  expectThat('vectors of what was deleted are not found', stale === 0);
  // The search is approximate: it finds 24 or 25 of 25.
  expectThat('of the others nearly all are', left >= 0.9 * kept.length, `${left} of ${kept.length}`);
  const field = await outcome(
    open('near?vector=vektor').then(({ createRetriever }) => search(createRetriever(meaning(true)), question(30))),
  );
  expectThat(
    'a wrong field for vectors is said, with those that exist',
    /config-invalid.*"vektor".*vector/.test(field),
    field,
  );
  const length = await outcome(search(server.createRetriever(meaning(true, 3)), question(30)));
  expectThat('vectors of another length are said', /^request-refused.*dimension/.test(length), length);
}
