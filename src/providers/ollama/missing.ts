/** Creates the error for a missing model, with the models on the server and a possible replacement. */
import { nearest } from '../../base/nearest.ts';
import type { RlmError } from '../../errors.ts';
import type { HttpFetch } from '../wire/http.ts';
import { errorIn, type FullResponse } from '../wire/http-errors.ts';
import { asList, asObject, parseObject } from '../wire/json.ts';
import { modelMissing, notOllama, type OllamaTarget } from './errors.ts';
import { request } from './rest.ts';

interface Listed {
  readonly name: string;
  readonly size: number;
}

const listedModels = 8;

/** Lists the models on the server; null when what answers is not Ollama. */
async function listModels(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<Listed[] | null> {
  const { status, text } = await request(http, target, '/api/tags', { signal });
  const { models } = parseObject(text) ?? {};
  if (status !== 200 || !(Array.isArray(models) || models === null)) return null;
  return asList(models).flatMap((model) => {
    const { name, size } = asObject(model);
    return typeof name === 'string' ? [{ name, size: typeof size === 'number' ? size : 0 }] : [];
  });
}

/** Sorts models by the likeness of their names to the missing one, then by size. */
function sortByLikeness(model: string, listed: readonly Listed[]): string[] {
  const [family = model] = model.split(':');
  const names = listed.map(({ name }) => name);
  const first = nearest(model, names);
  const like = (name: string) => (name === first ? 0 : name.startsWith(family) ? 1 : 2);
  const sorted = listed.toSorted(
    (a, b) => like(a.name) - like(b.name) || b.size - a.size || a.name.localeCompare(b.name),
  );
  return sorted.map(({ name }) => name);
}

/** Whether the server itself can chat with a model: not one for embeddings, nor one that runs elsewhere. */
async function canChat(http: HttpFetch, target: OllamaTarget, name: string, signal: AbortSignal): Promise<boolean> {
  if (/[:-]cloud$/.test(name)) return false;
  const body = JSON.stringify({ model: name });
  const { status, text } = await request(http, target, '/api/show', { method: 'POST', body, signal });
  const { capabilities, remote_host: remote } = parseObject(text) ?? {};
  const can = asList(capabilities);
  return status === 200 && !remote && (can.length === 0 || can.includes('completion'));
}

/** Shortens a list of names to what fits a message. */
const shorten = (names: readonly string[]): string[] =>
  names.length > listedModels
    ? [...names.slice(0, listedModels), `and ${names.length - listedModels} more`]
    : [...names];

/** Creates the error for a model that the server does not show. */
export async function explainMissing(
  http: HttpFetch,
  target: OllamaTarget,
  signal: AbortSignal,
  shown: FullResponse,
): Promise<RlmError> {
  const listed = await listModels(http, target, signal);
  if (listed !== null) {
    const names = sortByLikeness(target.model, listed);
    const looked = target.makesVectors === true ? [] : names.slice(0, listedModels);
    const can = await Promise.all(looked.map((name) => canChat(http, target, name, signal)));
    return modelMissing(target, shorten(names), looked.find((_, index) => can[index]) ?? null);
  }
  // An Ollama behind a gate may show models and not list them; its own 404 names the model.
  if (errorIn(shown.text)?.includes('model')) return modelMissing(target, null);
  return notOllama(target, `it does not know /api/show (${shown.status})`, 'provider-unreachable');
}
