import type { ModelSummary, Survey } from '../provider.ts';
import type { HttpFetch, HttpInit } from '../wire/http.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { notOllama, type OllamaTarget } from './errors.ts';
import { contextLength, weightsOf } from './inspect.ts';
import { request } from './rest.ts';

async function ask(http: HttpFetch, target: OllamaTarget, path: string, init: HttpInit): Promise<Json> {
  const { status, text } = await request(http, target, path, init);
  return (status === 200 ? parseObject(text) : null) ?? {};
}

/** Combines a model's entry in the list with its details. */
async function summarise(
  http: HttpFetch,
  target: OllamaTarget,
  listed: unknown,
  signal: AbortSignal,
): Promise<ModelSummary> {
  const { name, size } = asObject(listed);
  const shown = await ask(http, target, '/api/show', { method: 'POST', body: JSON.stringify({ model: name }), signal });
  return {
    name: String(name),
    sizeBytes: typeof size === 'number' ? size : null,
    weights: weightsOf(shown),
    capabilities: asList(shown['capabilities']).map(String),
    windowTokens: contextLength(shown),
  };
}

/** Lists the server's models. Throws what the connection throws, or `provider-unreachable` when it is not Ollama. */
export async function surveyOllama(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<Survey> {
  const [{ version }, { models }] = await Promise.all([
    ask(http, target, '/api/version', { signal }),
    ask(http, target, '/api/tags', { signal }),
  ]);
  if (models === undefined) throw notOllama(target, 'it does not list models', 'provider-unreachable');
  return {
    version: typeof version === 'string' ? version : null,
    address: target.display,
    models: await Promise.all(asList(models).map((listed) => summarise(http, target, listed, signal))),
  };
}
