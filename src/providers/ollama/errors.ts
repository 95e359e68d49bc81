/** The server and the model, and what messages say about them. */
import type { Environment } from '../../config/setting-layers.ts';
import type { ServerTarget, ServerWords } from '../wire/server-errors.ts';

export interface OllamaTarget extends ServerTarget {
  /** The environment: OLLAMA_API_KEY, and OLLAMA_NUM_PARALLEL as the server may have been given it. */
  readonly env: Environment;
  /** Whether it is asked for vectors: a model that answers is no substitute. */
  readonly makesVectors?: boolean;
}

export const ollamaWords = (model: string): ServerWords => ({
  kind: 'Ollama',
  address: 'Start it with: ollama serve. If it runs elsewhere, set OLLAMA_HOST. To see what answers: rlm doctor',
  failed: 'The log of the Ollama server may say more.',
  shorten:
    'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) if the model and the memory allow it, or lower context.passages.',
  access:
    'For a model in the cloud: ollama signin. For a server behind a password: OLLAMA_HOST=https://user:password@host',
  missing: `ollama pull ${model}, or: rlm models pull ${model}`,
  refused: 'Ollama may be too old for this request. See: ollama --version',
  tooLong: /exceed_context_size|exceeds the (available )?context|longer than the context length/i,
  notTooLong: [],
});
