import * as z from 'zod/mini';
import { nearest } from '../../base/nearest.ts';
import { isDepth, meantReference } from '../model-reference.ts';
import { type ProviderName, providerNames, providerTraits } from '../provider-traits.ts';
import { promptNames } from './answering.ts';
import { free, orNull, setting, text, whole } from './kinds.ts';

function wrongRoute(key: string): string {
  const near = nearest(key, promptNames);
  return `${near ? `did you mean "${near}" in place of "${key}"? ` : `unknown key "${key}": `}expected a prompt (${promptNames.join(', ')}) or a depth (0–9)`;
}

function wrongModel(reference: string): string | null {
  const meant = meantReference(reference, providerNames);
  const forms = `a model is MODEL or PROVIDER/MODEL, and a provider is one of ${providerNames.join(', ')}`;
  return meant && `did you mean ${meant}? ${forms}`;
}

const modelName = () =>
  text().check((context) => {
    const message = wrongModel(context.value);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });

const routes = () =>
  z.record(z.string(), z.union([text(), z.record(z.string().check(z.regex(/^\d$/)), text())])).check((context) => {
    for (const [key, value] of Object.entries(context.value)) {
      const isKnown = isDepth(key) ? typeof value === 'string' : (promptNames as readonly string[]).includes(key);
      const references = typeof value === 'string' ? [value] : Object.values(value);
      const message = isKnown ? references.map(wrongModel).find((wrong) => wrong !== null) : wrongRoute(key);
      if (message) context.issues.push({ code: 'custom', message, input: context.value });
    }
  });

export const models = {
  provider: free(
    () => z.enum(['auto', ...(Object.keys(providerTraits) as ProviderName[])]),
    'the provider that answers: auto (llama-cpp for a model that is a .gguf file, else Ollama if it runs and has the model, else extractive if no model is named), ollama, openai (any server that speaks its API, at openai.baseUrl), anthropic (Claude; the text is sent to Anthropic, whose API has no temperatures and no seed), llama-cpp (a GGUF file in this process, with node-llama-cpp), extractive (no language model)',
    // `free`, because the run records the provider that answered.
    { env: ['RLM_PROVIDER'], flag: '-p, --provider <name>' },
  ),
  model: setting(modelName, 'the model: its name, optionally after its provider (ollama/llama3.2:3b), or a GGUF file', {
    env: ['RLM_MODEL'],
    flag: '-m, --model <name>',
  }),
  models: free(
    routes,
    'models by prompt ({"critic": "llama3.2:3b"}), by depth ({"1": …}, which also applies to greater depths) or by both ({"answer": {"0": …, "1": …}}); the most specific wins',
    // `free`, because the run records the models that replied.
    { env: ['RLM_MODELS'], from: 'user' },
  ),
  recursive: {
    provider: free(orNull(text), 'the provider for all questions below the root; null: the same as for the root', {
      env: ['RLM_RECURSIVE_PROVIDER'],
      from: 'user',
    }),
    model: free(
      orNull(modelName),
      'the model for all questions below the root, such as ollama/llama3.2:3b; null: the same as for the root, or the default of recursive.provider',
      { env: ['RLM_RECURSIVE_MODEL'], flag: '--recursive-model <name>', from: 'user' },
    ),
  },
  preset: free(
    () => z.nullable(z.enum(['cost-optimized', 'speed-optimized', 'quality-first', 'fully-local'])),
    'models for the whole run, chosen from those available: cost-optimized, speed-optimized, quality-first, fully-local (rlm config presets shows them); null: none',
    { env: ['RLM_PRESET'], flag: '--preset <name>', from: 'user' },
  ),
  visionModel: free(
    modelName,
    'the model that reads pictures and scanned pages: auto (the model of the run, if it reads pictures), off, or a model such as ollama/qwen2.5vl:7b',
    { env: ['RLM_VISION_MODEL'], flag: '--vision-model <name>', from: 'user' },
  ),
  fallbacks: free(
    () => z.array(modelName()),
    'models that take over, in this order, when a model cannot be reached or keeps failing, such as ["extractive"]',
    { env: ['RLM_FALLBACKS'], from: 'user' },
  ),
};

export const providers = {
  ollama: {
    host: free(text, 'address of the Ollama server', {
      env: ['RLM_OLLAMA_HOST', 'OLLAMA_HOST'],
      flag: '--host <url>',
      needs: { provider: 'ollama' },
      from: 'user',
      holds: 'address',
    }),
    keepAlive: free(() => z.string(), 'how long Ollama keeps the model loaded after a call, such as 5m'),
  },
  llamaCpp: {
    threads: free(
      orNull(whole(1, 256)),
      'threads for GGUF files; null: all cores but one (both, if there are two), at most 16',
      { env: ['RLM_LLAMA_CPP_THREADS'] },
    ),
    gpu: free(() => z.enum(['auto', 'off']), 'graphics card for a GGUF file: auto (if node-llama-cpp finds one), off', {
      env: ['RLM_LLAMA_CPP_GPU'],
    }),
    folder: free(
      orNull(text),
      'folder that node-llama-cpp is installed in; null: beside rlm, in the global folder of npm, or from the working folder upwards',
      { env: ['RLM_LLAMA_CPP_FOLDER'], from: 'user' },
    ),
  },
  openai: {
    baseUrl: free(
      text,
      "address of the server that speaks OpenAI's API, up to /v1: LM Studio, vLLM, llama.cpp, or a hosted one",
      { env: ['RLM_OPENAI_BASE_URL', 'OPENAI_BASE_URL'], from: 'user', holds: 'address' },
    ),
    apiKey: free(
      orNull(() => z.string()),
      'key for the servers at openai.baseUrl and embedding.baseUrl; null: none is sent (local servers need none)',
      { env: ['OPENAI_API_KEY'], from: 'user', holds: 'secret' },
    ),
    windowTokens: free(
      orNull(whole(1024, 10_000_000)),
      'context window of the model at openai.baseUrl, in tokens; null: as the server reports',
      { env: ['RLM_OPENAI_WINDOW_TOKENS'], from: 'user' },
    ),
  },
  anthropic: {
    baseUrl: free(text, "address of Anthropic's API, or of a server that speaks it, up to /v1", {
      env: ['RLM_ANTHROPIC_BASE_URL', 'ANTHROPIC_BASE_URL'],
      from: 'user',
      holds: 'address',
    }),
    apiKey: free(
      orNull(() => z.string()),
      'key for the server at anthropic.baseUrl; null: none',
      { env: ['ANTHROPIC_API_KEY'], from: 'user', holds: 'secret' },
    ),
  },
};
