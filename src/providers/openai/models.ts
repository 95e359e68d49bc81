/** Reads the models that a server lists, with the details that servers add in different ways. */

import { isLocalAddress } from '../../base/local-address.ts';
import { nearest } from '../../base/nearest.ts';
import { RlmError } from '../../errors.ts';
import type { HttpFetch, HttpInit } from '../wire/http.ts';
import { asObject, type Json, parseObject } from '../wire/json.ts';
import { fromOpenAiConnection, fromOpenAiStatus, otherThan } from './errors.ts';
import { isOpenAi, type OpenAiTarget, openAiHeaders } from './target.ts';

/** A model as the server lists it. */
export interface ListedModel {
  readonly name: string;
  /** All details that the server gives. */
  readonly said: Json;
}

const shownModels = 8;

/** Servers that serve one model only may not list any. */
const unlisted = [404, 405, 501];

function readList(text: string): ListedModel[] | null {
  const value = parseObject(text.trimStart().startsWith('[') ? `{"data":${text}}` : text) ?? {};
  const list = value['data'] ?? value['models'];
  if (!Array.isArray(list)) return null;
  return list.map(asObject).flatMap((said) => {
    const name = said['id'] ?? said['name'];
    return typeof name === 'string' ? [{ name, said }] : [];
  });
}

/**
 * Lists the server's models; null where it does not list any.
 * @throws RlmError when what answers does not speak this API, or refuses; the connection's errors.
 */
export async function listModels(
  http: HttpFetch,
  target: OpenAiTarget,
  signal: AbortSignal,
  init: HttpInit = {},
): Promise<ListedModel[] | null> {
  const response = await http(`${target.url}/models`, { ...init, headers: openAiHeaders(target), signal });
  const text = target.redact(await response.text());
  if (unlisted.includes(response.status)) return null;
  if (!response.ok) throw fromOpenAiStatus({ status: response.status, headers: response.headers, text }, target);
  const models = readList(text);
  if (models === null) throw otherThan(target, `a list of models${hintAtVersion(target)}`, 'provider-unreachable');
  return models;
}

/** Returns a hint at the most common mistake in an address. */
const hintAtVersion = ({ url, display }: OpenAiTarget): string =>
  /\/v\d/.test(new URL(url).pathname) ? '' : `; try ${display}/v1`;

/**
 * Converts an error before the first call: a broken connection or an unreadable reply means that the server is
 * unreachable.
 */
export function asUnavailable(error: unknown, target: OpenAiTarget): RlmError {
  const known = fromOpenAiConnection(error, target);
  const codes: readonly string[] = ['provider-unreachable', 'model-missing', 'credentials-refused', 'config-invalid'];
  if (codes.includes(known.code)) return known;
  const { message, hint, transient, retryAfterMs } = known;
  return new RlmError('provider-unreachable', message, { hint, transient, retryAfterMs, cause: error });
}

/** Whether a listed model is not a language model, judged by its name: the API does not say. */
const isOtherKind = (name: string): boolean =>
  /embed|bge-|rerank|whisper|tts|transcribe|dall-e|image|moderation|realtime|audio|sora|davinci|babbage/i.test(name);

/** OpenAI's preferred models, the best first: they reply without long thinking, and are cheap. */
const hostedModels = ['gpt-5.4-mini', 'gpt-4.1-mini', 'gpt-4o-mini', 'gpt-5-mini'];

/** Lists model names, those most like the missing one first, as many as fit a message. */
function suggest(model: string, names: readonly string[]): string {
  const first = nearest(model, names);
  const sorted = [...names].sort((a, b) => Number(b === first) - Number(a === first) || a.localeCompare(b));
  const more = sorted.length - shownModels;
  return [...sorted.slice(0, shownModels), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function missing({ display, names: { modelFlag } }: OpenAiTarget, what: string): RlmError {
  return new RlmError('model-missing', `${display} ${what}`, { hint: `Name one with ${modelFlag} (RLM_MODEL).` });
}

/** A model that is used, and whether the user named it. */
export interface ChosenModel extends ListedModel {
  readonly isNamed: boolean;
}

/**
 * Returns the requested model as the server lists it; without a request, its first language model.
 * @throws RlmError `model-missing` with the existing models.
 */
export function chooseModel(
  wanted: string | null,
  models: readonly ListedModel[] | null,
  target: OpenAiTarget,
): ChosenModel {
  if (wanted === null) {
    const chats = (models ?? []).filter(({ name }) => !isOtherKind(name));
    const known = isOpenAi(target) ? hostedModels.flatMap((name) => chats.filter((model) => model.name === name)) : [];
    const chosen = known[0] ?? chats[0];
    if (chosen === undefined) throw missing(target, 'does not tell which model it has');
    return { ...chosen, isNamed: false };
  }
  if (models === null || models.length === 0) return { name: wanted, said: {}, isNamed: true };
  const listed = models.find(({ name }) => name === wanted || name === `${wanted}:latest`);
  if (listed !== undefined) return { ...listed, name: wanted, isNamed: true };
  // Gateways serve models that they do not list, under names of the user's own.
  if (!isLocalAddress(target.url) && !isOpenAi(target)) return { name: wanted, said: {}, isNamed: true };
  const names = models.map(({ name }) => name);
  throw missing(target, `has no model "${wanted}"; it has ${suggest(wanted, names)}`);
}
