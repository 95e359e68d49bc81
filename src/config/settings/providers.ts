import * as z from 'zod/mini';
import { orNull, setting, text, whole } from './kinds.ts';

/** The address, key and options of each provider. */
export const providers = {
  ollama: {
    host: setting(text, 'address of the Ollama server', {
      env: ['RLM_OLLAMA_HOST', 'OLLAMA_HOST'],
      flag: '--host <url>',
      from: 'user',
      holds: 'address',
      mayChange: true,
    }),
    keepAlive: setting(() => z.string(), 'how long Ollama keeps the model loaded afterwards, such as 5m', {
      mayChange: true,
    }),
  },
  llamaCpp: {
    threads: setting(
      orNull(whole(1, 256)),
      'threads for a GGUF file; null: all cores but one (both of two), at most 16',
      { env: ['RLM_LLAMA_CPP_THREADS'], mayChange: true },
    ),
    gpu: setting(
      () => z.enum(['auto', 'off']),
      'graphics card for a GGUF file: auto (where node-llama-cpp has one), off',
      { env: ['RLM_LLAMA_CPP_GPU'], mayChange: true },
    ),
    folder: setting(
      orNull(text),
      'folder that node-llama-cpp is installed in; null: beside rlm, in the global folder of npm, or from the working folder upwards',
      { env: ['RLM_LLAMA_CPP_FOLDER'], from: 'user', mayChange: true },
    ),
  },
  openai: {
    baseUrl: setting(
      text,
      "address of the server that speaks OpenAI's API, up to /v1: LM Studio, vLLM, llama.cpp, or a hosted one",
      { env: ['RLM_OPENAI_BASE_URL', 'OPENAI_BASE_URL'], from: 'user', holds: 'address', mayChange: true },
    ),
    apiKey: setting(
      orNull(() => z.string()),
      'key for that server, and for embedding.baseUrl; null: none is sent (local servers need none)',
      { env: ['OPENAI_API_KEY'], from: 'user', holds: 'secret', mayChange: true },
    ),
    windowTokens: setting(
      orNull(whole(1024, 10_000_000)),
      'context window of the model on that server, in tokens; null: as the server reports',
      { env: ['RLM_OPENAI_WINDOW_TOKENS'], from: 'user', mayChange: true },
    ),
  },
  anthropic: {
    baseUrl: setting(text, "address of Anthropic's API, or of a server that speaks it, up to /v1", {
      env: ['RLM_ANTHROPIC_BASE_URL', 'ANTHROPIC_BASE_URL'],
      from: 'user',
      holds: 'address',
      mayChange: true,
    }),
    apiKey: setting(
      orNull(() => z.string()),
      'key for that server; null: none',
      { env: ['ANTHROPIC_API_KEY'], from: 'user', holds: 'secret', mayChange: true },
    ),
  },
};
