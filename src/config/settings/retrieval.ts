import * as z from 'zod/mini';
import { orNull, setting, text, whole } from './kinds.ts';

/** How passages are found. */
export const retrieval = {
  mode: setting(
    () => z.enum(['auto', 'lexical', 'vector', 'hybrid']),
    'how passages are found: auto (hybrid where an embedding model is set, else lexical), lexical (by words), vector (by meaning), hybrid (both)',
    { env: ['RLM_RETRIEVAL'], flag: '--retrieval <mode>' },
  ),
  server: setting(
    orNull(text),
    'server to search for passages, in addition to the given text: chroma+http://host:8000/COLLECTION, elasticsearch+https://host:9200/INDEX?text=body or opensearch+https://…; null: none',
    { env: ['RLM_SERVER'], flag: '--server <url>', from: 'user', holds: 'address' },
  ),
};

/** How text becomes vectors. */
export const embedding = {
  provider: setting(
    () => z.enum(['ollama', 'openai', 'llama-cpp']),
    'provider of text vectors: ollama (at ollama.host), openai (any server that speaks its API, at embedding.baseUrl), llama-cpp (embedding.model is a GGUF file)',
    { env: ['RLM_EMBEDDING_PROVIDER'], from: 'user' },
  ),
  model: setting(
    orNull(text),
    'the model that turns text into vectors, such as nomic-embed-text; null: none, and passages are found by words',
    { env: ['RLM_EMBEDDING_MODEL'], flag: '--embedding-model <name>' },
  ),
  baseUrl: setting(text, 'address of the openai embedding provider, up to /v1; its key is in OPENAI_API_KEY', {
    env: ['RLM_EMBEDDING_BASE_URL', 'OPENAI_BASE_URL'],
    from: 'user',
    holds: 'address',
    mayChange: true,
  }),
  queryPrefix: setting(
    () => z.string(),
    'text that the embedding model expects before a question, such as "search_query: "',
  ),
  passagePrefix: setting(
    () => z.string(),
    'text that the embedding model expects before a passage, such as "search_document: "',
  ),
  batch: setting(whole(1, 2048), 'passages in one request for vectors', { mayChange: true }),
  maxChunks: setting(
    whole(1, 5_000_000),
    'maximum number of passages that get vectors; a larger text is searched by words',
    {
      mayChange: true,
    },
  ),
  timeout: setting(
    whole(1, 86_400),
    'how long a run waits for the vectors of its text, in seconds; after that it searches by words, and the finished vectors are kept',
    { mayChange: true },
  ),
  maxCacheBytes: setting(
    whole(0, 100_000_000_000),
    'largest size of the vectors kept from one run to the next, in bytes; the oldest are removed first, and 0 keeps none',
    { mayChange: true },
  ),
};
