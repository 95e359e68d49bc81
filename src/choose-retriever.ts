/** How passages are found. Only this file names concrete retrievers. What vectors need is loaded when they are wanted. */
import { chooseEmbedder, inspectEmbedder } from './choose-embedder.ts';
import { isPassedOver } from './choose-provider.ts';
import { now } from './clock.ts';
import { cacheFolder } from './config/folders.ts';
import type { Configuration, Environment } from './config/layers.ts';
import type { Settings } from './config/settings.ts';
import type { ContextStore } from './context/document.ts';
import { RlmError } from './errors.ts';
import type { Embedder, EmbedderInfo } from './providers/embedder.ts';
import { createLexicalRetriever, type LexicalRetriever } from './retrievers/lexical.ts';
import type { Retriever } from './retrievers/retriever.ts';
import type { RetrieverTools } from './run/start.ts';

/** The index of a text's words, which can be made while the text comes in. */
export type TextIndex = LexicalRetriever;

export const createTextIndex = (store: ContextStore): TextIndex => createLexicalRetriever(store);

/** A way to find passages, ready to be used by a run. */
export interface ChosenRetriever {
  readonly create: (tools: RetrieverTools) => Retriever;
  readonly warnings: readonly string[];
}

export interface RetrieverChoice {
  readonly configuration: Pick<Configuration, 'settings' | 'untrusted' | 'redactor'>;
  readonly store: ContextStore;
  /** What of it was made already; null: nothing. */
  readonly index: TextIndex | null;
  /** Whether the whole text fits one prompt; then hardly anything is searched for, and nobody is looked for beforehand. */
  readonly fits: boolean;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** How long `auto` waits for a sign of the embedding model. */
const probeMs = 2_000;
const progressEveryMs = 500;

const exampleModel = 'nomic-embed-text';

function missingModel(mode: string): RlmError {
  return new RlmError('config-invalid', `retrieval.mode is ${mode}, and no embedding model is set`, {
    hint: `ollama pull ${exampleModel}, and then: --embedding-model ${exampleModel} (setting embedding.model)`,
  });
}

function tooManyChunks(chunks: number, most: number): RlmError {
  const [have, may] = [chunks, most].map((count) => count.toLocaleString('en-US'));
  return new RlmError('input-too-large', `the text has ${have} passages; vectors are made of at most ${may}`, {
    hint: 'Raise embedding.maxChunks or context.chunkBytes, give less text, or take --retrieval lexical.',
  });
}

/** Makes the retriever by meaning; what it needs is loaded. */
async function loadVector(
  { configuration: { settings }, store, env }: RetrieverChoice,
  embedder: Embedder,
): Promise<ChosenRetriever['create']> {
  const [{ createVectorRetriever }, { createEmbed }, { createVectorCache, modelFolder }] = await Promise.all([
    import('./retrievers/vector.ts'),
    import('./run/embed.ts'),
    import('./cache/vector-cache.ts'),
  ]);
  const { queryPrefix, passagePrefix, batch, maxCacheBytes } = settings.embedding;
  const folder = cacheFolder(settings, env);
  const timeout = settings.budget.callTimeout;
  return ({ emit, warn, timeLeftMs }) => {
    const openArchive = ({ digest }: EmbedderInfo) =>
      maxCacheBytes === 0 ? null : createVectorCache(folder, modelFolder(embedder, digest), maxCacheBytes, warn);
    const embed = createEmbed({ embedder, openArchive, timeout, timeLeftMs, emit });
    const prefixed = (prefix: string) => (texts: readonly string[], signal: AbortSignal) =>
      embed(
        texts.map((text) => prefix + text),
        signal,
      );
    const onProgress = createProgress(store.chunkCount, emit);
    return createVectorRetriever(store, {
      embed: prefixed(passagePrefix),
      embedQuery: prefixed(queryPrefix),
      batch,
      onProgress,
    });
  };
}

/** Makes the retriever by words and meaning. */
async function loadHybrid(choice: RetrieverChoice, embedder: Embedder): Promise<ChosenRetriever['create']> {
  const { store, index } = choice;
  const lexical = index ?? createTextIndex(store);
  const [{ createHybridRetriever }, createVector] = await Promise.all([
    import('./retrievers/hybrid.ts'),
    loadVector(choice, embedder),
  ]);
  return (tools) => {
    const { warn } = tools;
    return createHybridRetriever(store, { lexical, vector: createVector(tools), warn });
  };
}

/** Tells how far the index is, at its end and now and then before. */
function createProgress(chunks: number, emit: RetrieverTools['emit']): (done: number) => void {
  let toldAt = now();
  return (done) => {
    if (done < chunks && now() - toldAt < progressEveryMs) return;
    toldAt = now();
    emit({ type: 'index.progress', done, chunks });
  };
}

const lexicalOnly = ({ store, index }: RetrieverChoice, ...warnings: string[]): ChosenRetriever => ({
  create: () => index ?? createTextIndex(store),
  warnings,
});

/** Looks whether vectors can be had. Returns what the user should know. */
async function check(choice: RetrieverChoice, embedder: Embedder): Promise<readonly string[]> {
  const { configuration, store, fits, signal } = choice;
  const { retrieval, embedding, budget } = configuration.settings;
  if (fits) return [];
  if (store.chunkCount > embedding.maxChunks) throw tooManyChunks(store.chunkCount, embedding.maxChunks);
  const ms = retrieval.mode === 'auto' ? probeMs : budget.callTimeout * 1000;
  return (await inspectEmbedder(embedder, ms, signal)).notices;
}

/** A mode that is named is kept to; what only came about, or only helps, may be done without. */
function mayDoWithout({ retrieval: { mode } }: Settings, error: RlmError): boolean {
  if (error.code === 'input-too-large') return mode !== 'vector';
  return mode === 'auto' && isPassedOver(error);
}

async function chooseWithVectors(choice: RetrieverChoice, embedder: Embedder): Promise<ChosenRetriever> {
  const { settings } = choice.configuration;
  try {
    const warnings = await check(choice, embedder);
    const load = settings.retrieval.mode === 'vector' ? loadVector : loadHybrid;
    return { create: await load(choice, embedder), warnings };
  } catch (thrown) {
    choice.signal.throwIfAborted();
    if (!(thrown instanceof RlmError) || !mayDoWithout(settings, thrown)) throw thrown;
    return lexicalOnly(choice, `passages are found by words alone: ${thrown.message}. ${thrown.hint}`.trim());
  }
}

/**
 * The retriever that the settings ask for: by words, by meaning or both. Where `auto` finds no embedding model that
 * serves, words alone decide, with a warning.
 * @throws RlmError `config-invalid`; where vectors are asked for, what keeps them from being made: the embedder's error,
 *   or `input-too-large` for too many chunks.
 */
export async function chooseRetriever(choice: RetrieverChoice): Promise<ChosenRetriever> {
  const { configuration, env } = choice;
  const { mode } = configuration.settings.retrieval;
  if (mode === 'lexical' || (mode === 'auto' && configuration.settings.embedding.model === null)) {
    return lexicalOnly(choice);
  }
  const embedder = await chooseEmbedder(configuration, env);
  if (embedder === null) throw missingModel(mode);
  return chooseWithVectors(choice, embedder);
}
