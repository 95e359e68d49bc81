import * as z from 'zod/mini';
import { nearest } from '../../base/nearest.ts';
import { type ProviderName, providerTraits } from '../provider-traits.ts';
import { orNull, setting, text } from './kinds.ts';
import { temperatures } from './replies.ts';

/** Every prompt has a temperature. */
const promptNames: readonly string[] = Object.keys(temperatures);

const isDepth = (key: string) => /^\d$/.test(key);

function wrongRoute(key: string): string {
  const near = nearest(key, promptNames);
  return `${near ? `did you mean "${near}" in place of "${key}"? ` : `unknown key "${key}": `}expected a prompt (${promptNames.join(', ')}) or a depth (0–9)`;
}

/** Models by prompt, by depth or by both. */
const routes = () =>
  z.record(z.string(), z.union([text(), z.record(z.string().check(z.regex(/^\d$/)), text())])).check((context) => {
    for (const [key, value] of Object.entries(context.value)) {
      if (isDepth(key) ? typeof value === 'string' : promptNames.includes(key)) continue;
      context.issues.push({ code: 'custom', message: wrongRoute(key), input: context.value });
    }
  });

/** The provider and the models that answer. */
export const models = {
  provider: setting(
    () => z.enum(['auto', ...(Object.keys(providerTraits) as ProviderName[])]),
    'the provider that answers: auto (llama-cpp for a model that is a .gguf file, else Ollama if it runs and has the model, else extractive if no model is named), ollama, openai (any server that speaks its API, at openai.baseUrl), anthropic (Claude; the text is sent to Anthropic, whose API has no temperatures and no seed), llama-cpp (a GGUF file in this process, with node-llama-cpp), extractive (no language model)',
    // The provider that answered is recorded with the run.
    { env: ['RLM_PROVIDER'], flag: '-p, --provider <name>', mayChange: true },
  ),
  model: setting(text, 'the model: its name, optionally after its provider (ollama/llama3.2:3b), or a GGUF file', {
    env: ['RLM_MODEL'],
    flag: '-m, --model <name>',
  }),
  models: setting(
    routes,
    'models by prompt ({"critic": "llama3.2:3b"}), by depth ({"1": …}, which also holds below it) or by both ({"answer": {"0": …, "1": …}}); the most specific wins',
    // The models that replied are recorded with the run.
    { env: ['RLM_MODELS'], from: 'user', mayChange: true },
  ),
  recursive: {
    provider: setting(orNull(text), 'the provider for all questions below the root; null: the same as for the root', {
      env: ['RLM_RECURSIVE_PROVIDER'],
      from: 'user',
      mayChange: true,
    }),
    model: setting(
      orNull(text),
      'the model for all questions below the root, such as ollama/llama3.2:3b; null: the same as for the root, or the default of recursive.provider',
      { env: ['RLM_RECURSIVE_MODEL'], flag: '--recursive-model <name>', from: 'user', mayChange: true },
    ),
  },
  preset: setting(
    () => z.nullable(z.enum(['cost-optimized', 'speed-optimized', 'quality-first', 'fully-local'])),
    'models for the whole run, chosen from those available: cost-optimized, speed-optimized, quality-first, fully-local (rlm config presets shows them); null: none',
    { env: ['RLM_PRESET'], flag: '--preset <name>', from: 'user', mayChange: true },
  ),
  fallbacks: setting(
    () => z.array(text()),
    'models that take over, in this order, when a model cannot be reached or keeps failing, such as ["extractive"]',
    { env: ['RLM_FALLBACKS'], from: 'user', mayChange: true },
  ),
};
