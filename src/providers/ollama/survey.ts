/** The models of an Ollama server, for `rlm doctor` and `rlm models`. */
import { createHash } from 'node:crypto';
import type { ModelDetails, ModelSummary, Survey } from '../provider.ts';
import type { HttpFetch, HttpInit } from '../wire/http.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { notTheServer } from '../wire/server-errors.ts';
import type { OllamaTarget } from './errors.ts';
import { request } from './host.ts';
import { contextLength, showOllama, weightsOf } from './inspect.ts';

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
  if (models === undefined) throw notTheServer(target, 'it does not list models', true);
  return {
    version: typeof version === 'string' ? version : null,
    address: target.display,
    models: await Promise.all(asList(models).map((listed) => summarise(http, target, listed, signal))),
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The server's table of parameters: a name, blanks and a value a line, texts in quotes; a name may come again. */
function readParameters(table: unknown): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of typeof table === 'string' ? table.split('\n') : []) {
    const [, name, value] = /^\s*(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    found.set(name, [...(found.get(name) ?? []), value.replace(/^"(.*)"$/, '$1')]);
  }
  return Object.fromEntries(found);
}

/** Returns its size on disk, which only the list of all models contains; null where unavailable. */
async function sizeOf(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<number | null> {
  const { text } = await request(http, target, '/api/tags', { signal }).catch(() => ({ text: '' }));
  signal.throwIfAborted();
  const names: readonly unknown[] = [target.model, `${target.model}:latest`];
  const listed = asList(parseObject(text)?.['models']).map(asObject);
  const size = listed.find(({ name }) => names.includes(name))?.['size'];
  return typeof size === 'number' ? size : null;
}

function templateDigest({ template }: Json): string | null {
  if (typeof template !== 'string' || template === '') return null;
  return createHash('sha256').update(template).digest('hex').slice(0, 16);
}

/** Returns all details of the model. Throws as `inspect` does. */
export async function describeOllama(
  http: HttpFetch,
  target: OllamaTarget,
  signal: AbortSignal,
): Promise<ModelDetails> {
  const shown = await showOllama(http, target, signal);
  const { family, parameter_size: parameterSize, quantization_level: quantization } = asObject(shown['details']);
  return {
    name: target.model,
    sizeBytes: await sizeOf(http, target, signal),
    capabilities: asList(shown['capabilities']).map(String),
    windowTokens: contextLength(shown),
    family: textOrNull(family),
    parameterSize: textOrNull(parameterSize),
    quantization: textOrNull(quantization),
    parameters: readParameters(shown['parameters']),
    templateDigest: templateDigest(shown),
  };
}
