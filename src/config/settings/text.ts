import * as z from 'zod/mini';
import { free, onOff, orNull, seconds, setting, text, whole } from './kinds.ts';

export const inputs = {
  maxBytes: free(
    whole(1, 100_000_000_000),
    'largest total input, in bytes; a larger input is an error and is never cut',
    { env: ['RLM_MAX_INPUT_BYTES'] },
  ),
  encoding: setting(() => z.enum(['utf-8', 'latin1']), 'encoding of text that has no byte order mark', {
    flag: '--encoding <name>',
  }),
  strict: free(onOff, 'make an unreadable file an error; otherwise it is skipped with a warning', {
    env: ['RLM_STRICT'],
    flag: '--strict',
  }),
  allowUrls: free(onOff, 'read the http and https addresses among the paths', {
    env: ['RLM_ALLOW_URLS'],
    flag: '--allow-urls',
    from: 'user',
  }),
  maxUnpackRatio: free(
    whole(1, 1_000_000),
    'largest ratio of unpacked to packed size of an archive; an archive that exceeds this ratio and unpacks to more than 16 MB is skipped as a decompression bomb',
    { env: ['RLM_MAX_UNPACK_RATIO'], from: 'user' },
  ),
  readTimeout: free(
    seconds,
    'time limit for extracting or fetching one PDF, web page or similar file, and for the writer of a named pipe, in seconds',
  ),
};

export const context = {
  passages: setting(
    whole(1, 200),
    'passages retrieved for a question when the whole text does not fit; three passages of code count as one',
  ),
  chunking: setting(
    () => z.enum(['auto', 'lines', 'chars', 'paragraphs', 'markdown', 'code', 'records']),
    'how text is divided into chunks: auto (by its kind), lines, chars, paragraphs, markdown (sections), code (definitions), records (logs, JSON lines)',
    { env: ['RLM_CHUNKING'], flag: '--chunking <kind>' },
  ),
  chunkTokens: setting(whole(50, 10_000), 'size of a passage, in tokens; a passage of code has a third of this size', {
    env: ['RLM_CHUNK_TOKENS'],
    flag: '--chunk-tokens <n>',
  }),
  overlapTokens: setting(whole(0, 5_000), 'preceding text that the model sees with a passage, in tokens', {
    env: ['RLM_OVERLAP_TOKENS'],
    flag: '--overlap-tokens <n>',
  }),
  maxWindowTokens: setting(
    orNull(whole(2048, 1_048_576)),
    'largest context window to use, in tokens; null: the window of the model, but at most 16,384 on a server that reloads the model for a larger window (memory use grows with the window)',
    { env: ['RLM_MAX_WINDOW_TOKENS'] },
  ),
};

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

export const embedding = {
  provider: setting(
    () => z.enum(['ollama', 'openai', 'llama-cpp']),
    'provider of text vectors: ollama (at ollama.host), openai (any server that speaks its API, at embedding.baseUrl), llama-cpp (embedding.model is a GGUF file)',
    { env: ['RLM_EMBEDDING_PROVIDER'], from: 'user' },
  ),
  model: setting(
    orNull(text),
    'the model that turns text into vectors, such as nomic-embed-text; null: none, and passages are found by words',
    {
      env: ['RLM_EMBEDDING_MODEL'],
      flag: '--embedding-model <name>',
      needs: { retrieval: ['auto', 'vector', 'hybrid'] },
    },
  ),
  baseUrl: free(text, 'address of the openai embedding provider, up to /v1; its key is in OPENAI_API_KEY', {
    env: ['RLM_EMBEDDING_BASE_URL', 'OPENAI_BASE_URL'],
    from: 'user',
    holds: 'address',
  }),
  queryPrefix: setting(
    () => z.string(),
    'text that the embedding model expects before a question, such as "search_query: "',
  ),
  passagePrefix: setting(
    () => z.string(),
    'text that the embedding model expects before a passage, such as "search_document: "',
  ),
  batch: free(whole(1, 2048), 'passages in one request for vectors'),
  maxChunks: free(
    whole(1, 5_000_000),
    'maximum number of passages that get vectors; a larger text is searched by words',
  ),
  timeout: free(
    whole(1, 86_400),
    'how long a run waits for the vectors of its text, in seconds; after that it searches by words, and the finished vectors are kept',
  ),
  maxCacheBytes: free(
    whole(0, 100_000_000_000),
    'largest size of the vectors kept from one run to the next, in bytes; the oldest are removed first, and 0 keeps none',
  ),
};
