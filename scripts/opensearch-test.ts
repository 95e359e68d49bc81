/**
 * Downloads a real OpenSearch from Maven Central into a temporary folder and runs the retriever's contract against it.
 * Searches for needles among 10,000 passages, also while passages are deleted, and for passages that only vectors find.
 * Checks the errors for a wrong index, a wrong field, a slow server and a dying server. Needs java and mvn. Exits with
 * 1 if it cannot run, or if a check fails.
 *
 * npm run test:opensearch
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findServer } from '../src/assemble/choose-retriever.ts';
import { loadConfiguration } from '../src/config/layers.ts';
import type { Retriever } from '../src/retrievers/retriever.ts';
import { type Needle, passagesWithNeedles } from './chroma-needles.ts';
import { deletePassage, fillIndex } from './opensearch/index-client.ts';
import { type RealOpenSearch, startRealOpenSearch } from './opensearch/server.ts';
import { checkVectors } from './opensearch/vectors.ts';

const passageCount = 10_000;
const limit = 8;
const signal = new AbortController().signal;
let failed = false;

function expectThat(what: string, holds: boolean, said = ''): void {
  console.log(`${holds ? 'ok' : 'NOT OK'}: ${what}${said === '' ? '' : `: ${said}`}`);
  if (!holds) failed = true;
}

async function openServer(url: string, index: string, callTimeout = 30) {
  const settings = new Map([['budget.callTimeout', callTimeout]]);
  const configuration = loadConfiguration({ settings, env: {}, cwd: fileURLToPath(new URL('.', import.meta.url)) });
  return findServer(`opensearch+${url}/${index}`, { configuration, signal });
}

const openIndex = async (...place: Parameters<typeof openServer>): Promise<Retriever> =>
  (await openServer(...place)).createRetriever(null);

const search = (retriever: Retriever, text: string) => retriever.retrieve({ text, limit, maxBytes: 50_000 }, signal);

/** Returns how many needles are among the first passages for their questions. */
async function countFound(retriever: Retriever, needles: readonly Needle[]): Promise<number> {
  let found = 0;
  for (const { question, answer } of needles)
    if ((await search(retriever, question)).some(({ text }) => text.includes(answer))) found += 1;
  return found;
}

/** The outcome of a search: the code and message of its error, or the number of passages. */
const outcome = (work: Promise<readonly unknown[]>): Promise<string> =>
  work.then(
    (found) => `${found.length} found`,
    (error: { code?: string; message?: string }) => `${error.code}: ${error.message}`,
  );

async function checkNeedles(url: string): Promise<Retriever> {
  const { passages, rare, together } = passagesWithNeedles(passageCount);
  const startedAt = performance.now();
  const titleOf = (index: number) => `Leaflet ${index} of zephyr${index % 1_000}z`;
  const rows = passages.map((text, index) => ({ text, title: titleOf(index), source: `file-${index % 100}.md` }));
  await fillIndex(url, 'needles', rows);
  console.log(`${passageCount} passages added in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const retriever = await openIndex(url, 'needles');
  const foundRare = await countFound(retriever, rare);
  expectThat('a rare word in each question is found', foundRare === rare.length, `${foundRare} of ${rare.length}`);
  const foundTogether = await countFound(retriever, together);
  expectThat('frequent words that stand together once are found', foundTogether >= 90, `${foundTogether} of 100`);
  const titles = await openIndex(url, 'needles?search=title,text');
  const byTitle = await search(titles, 'the leaflets of zephyr123z');
  expectThat('titles are searched where the address names them', byTitle.length > 0, `${byTitle.length} found`);
  await checkDeletions(url, passages, rare, retriever);
  return retriever;
}

/** Deletes half of the needles while it searches for all of them. */
async function checkDeletions(
  url: string,
  passages: readonly string[],
  needles: readonly Needle[],
  retriever: Retriever,
) {
  const half = needles.slice(0, needles.length / 2);
  const deleting = (async () => {
    for (const { answer } of half)
      await deletePassage(url, 'needles', `${passages.findIndex((text) => text.includes(answer))}`);
  })();
  const [meanwhile] = await Promise.all([
    outcome(Promise.all(needles.map(({ question }) => search(retriever, question)))),
    deleting,
  ]);
  expectThat('searches go on while passages are deleted', meanwhile === `${needles.length} found`, meanwhile);
  expectThat('what was deleted is not found', (await countFound(retriever, half)) === 0);
  expectThat(
    'what was not is',
    (await countFound(retriever, needles.slice(half.length))) === needles.length - half.length,
  );
}

/** A proxy that forwards each request after a delay. */
async function startSlowly(url: string, waitMs: number) {
  const slow = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await sleep(waitMs);
    const { method = 'GET' } = request;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${request.url}`, {
      method,
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`, close: () => slow.close() };
}

async function checkMistakes(url: string): Promise<void> {
  const index = await outcome(openIndex(url, 'needels').then(() => []));
  expectThat('a wrong index is said', index.startsWith('collection-missing') && index.includes('needels'), index);
  const field = await outcome(openIndex(url, 'needles?text=body').then((retriever) => search(retriever, 'gateway')));
  expectThat('a wrong field is said, with those that exist', /config-invalid.*"body".*text.*title/.test(field), field);
  const slow = await startSlowly(url, 2_500);
  const late = await outcome(openIndex(slow.url, 'needles', 1).then((retriever) => search(retriever, 'gateway')));
  expectThat('a slow server is said', late.startsWith('call-timeout'), late);
  const patient = await outcome(openIndex(slow.url, 'needles').then((retriever) => search(retriever, 'gateway')));
  expectThat('and waited for where that is allowed', patient === `${limit} found`, patient);
  slow.close();
}

async function checkDeath(server: RealOpenSearch, retriever: Retriever): Promise<void> {
  const asked = Array.from({ length: 200 }, (_, turn) =>
    outcome(search(retriever, `the access code of gateway ${turn}`)),
  );
  await server.kill();
  const outcomes = new Set((await Promise.all(asked)).map((said) => said.replace(/^\d+ found$/, 'found')));
  const others = [...outcomes].filter((said) => said !== 'found' && !said.startsWith('search-unreachable'));
  expectThat('a server that dies in a search is said, and nothing else', others.length === 0, [...outcomes].join('; '));
  const after = await outcome(search(retriever, 'gateway'));
  expectThat('one that is dead is said', after.startsWith('search-unreachable'), after);
}

function runContract(url: string): void {
  const config = fileURLToPath(new URL('../tests/opensearch/vitest.config.ts', import.meta.url));
  const env = { ...process.env, OPENSEARCH_TEST_URL: url };
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', config], { stdio: 'inherit', env });
  expectThat('the contract of retrievers holds', status === 0);
}

try {
  const server = await startRealOpenSearch();
  try {
    console.log(`OpenSearch answers at ${server.url}`);
    runContract(server.url);
    const retriever = await checkNeedles(server.url);
    await checkMistakes(server.url);
    const open = (index: string) => openServer(server.url, index);
    if (server.takesVectors) await checkVectors(server.url, { open, search, expectThat, outcome });
    else
      console.log('not tested: vectors, since the k-NN plugin is not available; the unit tests use a simulated server');
    await checkDeath(server, retriever);
  } finally {
    await server.stop();
  }
} catch (error) {
  console.error(`test:opensearch: ${(error as Error).message}`);
  failed = true;
}
console.log(failed ? 'test:opensearch: failed' : 'test:opensearch: passed');
process.exitCode = failed ? 1 : 0;
