/**
 * Installs the real Chroma server into a temporary folder and runs the retriever's contract against it. Then searches
 * for needles among 10,000 passages, and prints how many were found and how fast. Exits with 1 if it cannot run, or if
 * a needle is missed.
 *
 * npm run test:chroma
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findServer } from '../src/assemble/choose-retriever.ts';
import { loadConfiguration } from '../src/config/layers.ts';
import { createContextStore } from '../src/context/store/store.ts';
import { createLexicalRetriever } from '../src/retrievers/lexical/retriever.ts';
import type { Embed, Retriever } from '../src/retrievers/retriever.ts';
import { createMeaning } from '../src/retrievers/vector/retriever.ts';
import { fillCollection } from './chroma-client.ts';
import { type Needle, passagesWithNeedles } from './chroma-needles.ts';
import { startRealChroma } from './chroma-server.ts';

const passageCount = 10_000;
const limit = 8;
const signal = new AbortController().signal;
let failed = false;

/** Computes a text's vector without a model: each word adds to some of 64 dimensions. */
const wordVector = (text: string): number[] => {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 2_166_136_261;
    for (const character of word) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
    for (let dimension = 0; dimension < 4; dimension++) {
      vector[(hash >>> (dimension * 6)) % 64]! += (hash >>> (24 + dimension)) & 1 ? 1 : -1;
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};
const embed: Embed = async (texts) => texts.map((text) => Float32Array.from(wordVector(text)));

async function openCollection(url: string, name: string, embedWith: Embed | null): Promise<Retriever> {
  const configuration = loadConfiguration({ env: {}, cwd: fileURLToPath(new URL('.', import.meta.url)) });
  const address = `chroma+${url}/${name}`;
  const server = await findServer(address, { configuration, signal });
  return server.createRetriever(embedWith && createMeaning(embedWith, true, () => {}));
}

const percentile = (values: readonly number[], part: number): string =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!.toFixed(0);

/** Searches for each needle by its question, prints one line of figures, and returns how many were found. */
async function lookFor(name: string, retriever: Retriever, needles: readonly Needle[], required: number) {
  const times: number[] = [];
  let found = 0;
  let requests = 0;
  const access = {
    warn: () => {},
    request: <T>(send: () => Promise<T>) => {
      requests += 1;
      return send();
    },
  };
  for (const { question, answer } of needles) {
    const startedAt = performance.now();
    const passages = await retriever.retrieve({ text: question, limit, maxBytes: 50_000 }, signal, access);
    times.push(performance.now() - startedAt);
    if (passages.some(({ text }) => text.includes(answer))) found += 1;
  }
  const recall = `${found} of ${needles.length} in the first ${limit}`;
  const speed = `${percentile(times, 0.5)} ms p50, ${percentile(times, 0.95)} ms p95`;
  console.log(`${name}: ${recall}; ${speed}; ${(requests / needles.length).toFixed(1)} requests each`);
  if (found < required) failed = true;
  return found;
}

function runContract(url: string): void {
  const config = fileURLToPath(new URL('../tests/chroma/vitest.config.ts', import.meta.url));
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], {
    stdio: 'inherit',
    env: { ...process.env, CHROMA_TEST_URL: url },
  });
  if (status !== 0) failed = true;
}

async function checkNeedles(url: string): Promise<void> {
  const { passages, rare, together } = passagesWithNeedles(passageCount);
  const records = passages.map((document, index) => ({
    id: `p${index}`,
    document,
    metadata: { source: `file-${index % 100}.md`, startLine: index + 1 },
    embedding: wordVector(document),
  }));
  const startedAt = performance.now();
  await fillCollection(url, 'needles', records);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passageCount} passages added in ${seconds} s, in batches of 500`);
  const byWords = await openCollection(url, 'needles', null);
  const byVector = await openCollection(url, 'needles', embed);
  const local = createLexicalRetriever(
    createContextStore(passages.map((text, index) => ({ name: `p${index}`, bytes: Buffer.from(text) }))),
  );
  await lookFor('here, by words, a rare word in each question', local, rare, rare.length);
  await lookFor('there, the same', byWords, rare, rare.length);
  const best = await lookFor('here, by words, frequent words that stand together once', local, together, 0);
  await lookFor('there, the same', byWords, together, best - 2);
  const same = rare.map(({ answer }) => ({ question: passages.find((text) => text.includes(answer))!, answer }));
  // The server's vector index is approximate.
  await lookFor('there, by vectors (64 dimensions of words, no model), the passage itself', byVector, same, 95);
}

try {
  const server = await startRealChroma();
  try {
    console.log(`the Chroma server answers at ${server.url}`);
    runContract(server.url);
    await checkNeedles(server.url);
  } finally {
    await server.stop();
  }
} catch (error) {
  console.error(`test:chroma: ${(error as Error).message}`);
  failed = true;
}
console.log(failed ? 'test:chroma: failed' : 'test:chroma: passed');
process.exitCode = failed ? 1 : 0;
