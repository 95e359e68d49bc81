import { counted, grouped } from '../base/text.ts';
import { now } from '../base/time.ts';
import type { ContextStore } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import { createLexicalRetriever, type LexicalRetriever } from '../retrievers/lexical/retriever.ts';
import { type Retriever, type Retrievers, tellLoss, wordsAlone } from '../retrievers/retriever.ts';
import type { SearchServer } from '../retrievers/servers/search-server.ts';
import { createSpreadRetriever } from '../retrievers/spread.ts';
import type { RetrieverTools } from '../run/start.ts';
import { chooseVectors, type Vectors, type VectorsChoice, wantsVectors } from './choose-vectors.ts';
import { orCancelled } from './within-time.ts';

/** Creates the retriever that searches a text, or a part of a text, for the words of a query. */
export function createTextRetriever(store: ContextStore, index: LexicalRetriever = createLexicalRetriever(store)) {
  return { ...createSpreadRetriever(store, index), index, close: index.close };
}

export interface RetrieverChoice extends VectorsChoice {
  readonly store: ContextStore;
  /** The word index of the text that has been read; null if indexing has not begun. */
  readonly index: LexicalRetriever | null;
  /** Whether the whole text fits one prompt. */
  readonly fits: boolean;
}

const progressEveryMs = 500;

function createProgress(chunks: number, emit: RetrieverTools['emit']): (done: number) => void {
  let emittedAt = now();
  return (done) => {
    if (done < chunks && now() - emittedAt < progressEveryMs) return;
    emittedAt = now();
    emit({ type: 'index.progress', done, chunks });
  };
}

function createLateness({ store, configuration: { settings } }: RetrieverChoice, warn: (message: string) => void) {
  const { retrieval, embedding } = settings;
  let hasWarned = false;
  return (done: number): void => {
    const made = `${grouped(done)} of ${counted(store.chunkCount, 'passage')} got vectors in ${embedding.timeout} s`;
    const hint = 'Vectors are kept: run the command again to continue, or raise embedding.timeout and budget.timeout.';
    if (retrieval.mode === 'vector') throw new RlmError('call-timeout', made, { hint });
    if (!hasWarned) warn(`${wordsAlone} until all vectors are made: ${made}. ${hint}`);
    hasWarned = true;
  };
}

type CreateLocal = (tools: RetrieverTools, vectors: Vectors | null) => Retriever;

async function loadLocal(choice: RetrieverChoice, byVectors: boolean, ended: AbortSignal): Promise<CreateLocal> {
  const { configuration, store, index } = choice;
  const lexical = index ?? createLexicalRetriever(store);
  if (!byVectors) return () => lexical;
  const { retrieval, embedding } = configuration.settings;
  const [{ createVectorRetriever }, { createHybridRetriever }] = await Promise.all([
    import('../retrievers/vector/retriever.ts'),
    import('../retrievers/fused.ts'),
  ]);
  return ({ emit, warn }, vectors) => {
    const vector = createVectorRetriever(store, {
      embed: vectors!.ofPassages,
      embedQuery: vectors!.ofQueries,
      batch: embedding.batch,
      onProgress: createProgress(store.chunkCount, emit),
      patience: { ms: embedding.timeout * 1000, onLate: createLateness(choice, warn), ended },
    });
    return retrieval.mode === 'vector' ? vector : createHybridRetriever({ lexical, vector, warn });
  };
}

const longestRequestMs = 30_000;

/**
 * Opens the search server at an address, and checks that it has the index that the address names.
 * @throws RlmError as `openSearchServer` does; `interrupted` when the signal is aborted.
 */
export async function findServer(
  address: string,
  { configuration, signal }: Pick<VectorsChoice, 'configuration' | 'signal'>,
): Promise<SearchServer> {
  const [{ openSearchServer }, { withRetries }] = await Promise.all([
    import('../retrievers/servers/search-server.ts'),
    import('../run/door/retry.ts'),
  ]);
  const { settings, redactor, env } = configuration;
  const timeoutMs = Math.min(longestRequestMs, settings.budget.callTimeout * 1000);
  const startedAt = now();
  try {
    return await withRetries(() => openSearchServer(address, { env, timeoutMs, redact: redactor.text }, signal), {
      signal,
      timeLeftMs: () => startedAt + timeoutMs - now(),
      mayRetry: () => true,
      onRetry: () => {},
    });
  } catch (error) {
    throw signal.aborted ? orCancelled(error) : error;
  }
}

const textAlone = 'only the local text is searched';

interface ChosenServer {
  /** The server's name for messages. Null: the server is unavailable, so only local text is searched. */
  readonly about: string | null;
  readonly create: (tools: RetrieverTools, vectors: Vectors | null, local: Retriever) => Retriever;
  readonly warnings: readonly string[];
}

const unnamedField = ({ about }: SearchServer): string =>
  `the address of ${about} names no field that has vectors (…/INDEX?vector=FIELD)`;

async function chooseSearch(server: SearchServer, mode: string, byVectors: boolean): Promise<ChosenServer> {
  const { about, takesVectors, createRetriever } = server;
  if (!byVectors) return { about, create: () => createRetriever(null), warnings: [] };
  const isAlone = mode === 'vector';
  if (!takesVectors && isAlone) {
    throw new RlmError('config-invalid', `retrieval.mode is vector, and ${unnamedField(server)}`, {
      hint: 'Name the field in retrieval.server, or use --retrieval hybrid or lexical.',
    });
  }
  const { createMeaning } = await import('../retrievers/vector/retriever.ts');
  return {
    about,
    create: ({ warn }, vectors) => createRetriever(createMeaning(vectors!.ofQueries, isAlone, warn)),
    warnings: takesVectors ? [] : [`the search server searches by words alone: ${unnamedField(server)}`],
  };
}

async function besideText(server: ChosenServer): Promise<ChosenServer> {
  const { byPlaces, createFusedRetriever } = await import('../retrievers/fused.ts');
  return {
    ...server,
    create: (tools, vectors, local) => {
      const unsure = server.create(tools, vectors, local);
      const name = `${local.name}+${unsure.name}`;
      const parts = { name, sure: local, unsure, loss: textAlone, depth: 0, join: byPlaces };
      return createFusedRetriever({ ...parts, warn: tools.warn });
    },
  };
}

/** Opens the server. If there is local text, a retryable error becomes a warning, and only this text is searched. */
async function chooseServer(choice: RetrieverChoice, address: string, byVectors: boolean): Promise<ChosenServer> {
  const isAlone = choice.store.documents.length === 0;
  try {
    const found = await findServer(address, choice);
    const server = await chooseSearch(found, choice.configuration.settings.retrieval.mode, byVectors);
    return isAlone ? server : await besideText(server);
  } catch (error) {
    if (!(error instanceof RlmError) || isAlone || !error.toInfo().retryable) throw error;
    return { about: null, create: (_tools, _vectors, local) => local, warnings: [tellLoss(textAlone, error)] };
  }
}

function tooLargeFor({ configuration: { settings }, store: { chunkCount }, fits }: RetrieverChoice): RlmError | null {
  const most = settings.embedding.maxChunks;
  if (!wantsVectors(settings) || fits || chunkCount <= most) return null;
  const message = `the text has ${counted(chunkCount, 'passage')}; at most ${grouped(most)} get vectors`;
  return new RlmError('input-too-large', message, {
    hint: 'Raise embedding.maxChunks or context.chunkTokens, give less text, or use --retrieval lexical.',
  });
}

/**
 * Chooses the retrievers that the settings name: by words, by vectors or both, in local text and on a search server.
 * Searches by words alone, with a warning, if the embedding model is unavailable in mode `auto`, or if the text has too
 * many chunks for mode `auto` or `hybrid`.
 * @throws RlmError `config-invalid`; the embedder's error; in mode `vector` `input-too-large` for too many chunks; the
 *   search server's error, if it is not retryable or there is no local text; the signal's reason.
 */
export async function chooseRetriever(choice: RetrieverChoice) {
  const { mode, server: address } = choice.configuration.settings.retrieval;
  const tooLarge = tooLargeFor(choice);
  const isUsed = tooLarge === null || (address !== null && mode !== 'vector');
  const vectors = await chooseVectors(choice, isUsed && !choice.fits);
  if (tooLarge !== null && mode === 'vector') throw tooLarge;
  const byVectors = vectors.create !== null;
  const ended = new AbortController();
  const local = await loadLocal(choice, byVectors && tooLarge === null, ended.signal);
  const server = address === null ? null : await chooseServer(choice, address, byVectors);
  const lost = tooLarge === null ? [] : [tellLoss(wordsAlone, tooLarge)];
  return {
    /** The name of the searched server, for messages; null if no server is searched. */
    server: server?.about ?? null,
    warnings: [...vectors.warnings, ...lost, ...(server?.warnings ?? [])],
    close: () => {
      ended.abort();
      vectors.close();
    },
    create(tools: RetrieverTools): Retrievers {
      const made = vectors.create?.(tools) ?? null;
      const own = createSpreadRetriever(choice.store, local(tools, made));
      return { local: own, all: server === null ? own : server.create(tools, made, own) };
    },
  };
}
