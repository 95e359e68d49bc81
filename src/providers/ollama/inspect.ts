import { createHash } from 'node:crypto';
import { RlmError } from '../../errors.ts';
import type { ModelInfo } from '../provider.ts';
import type { HttpFetch, HttpInit } from '../wire/http.ts';
import { errorIn, type FullResponse } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import type { Thinking } from './chat/offers.ts';
import { loadOllamaClient } from './client.ts';
import { fromConnection, fromStatus, notOllama, type OllamaTarget, unreachable } from './errors.ts';
import { explainMissing } from './missing.ts';
import { remoteHost, remoteNotice } from './remote.ts';
import { request } from './rest.ts';

/** What Ollama reports about a model, with details for calls. */
export interface OllamaModel {
  readonly info: ModelInfo;
  readonly thinking: Thinking;
  /** The host that it runs on, if not the server itself; else null. */
  readonly remote: string | null;
}

const assumedWindow = 4096;

/** Servers of 2025 say this with the status 500. */
const invalidName = /^invalid model (path|name)/i;

async function explainRefusal(http: HttpFetch, target: OllamaTarget, signal: AbortSignal, shown: FullResponse) {
  const error = errorIn(shown.text);
  if (shown.status === 404) return explainMissing(http, target, signal, shown);
  if (shown.status === 401 || shown.status === 403) return fromStatus(shown, target);
  if (error !== null && (shown.status === 400 || invalidName.test(error))) {
    const message = `Ollama at ${target.display} refuses the model name "${target.model}": ${error}`;
    return new RlmError('model-missing', message, {
      hint: 'Choose another with --model. To see what is there: rlm models list',
    });
  }
  const { message, transient, retryAfterMs } = fromStatus(shown, target);
  if (shown.status >= 500 || shown.status === 429) return unreachable(target, message, { transient, retryAfterMs });
  return notOllama(target, `it answers /api/show with ${shown.status}`, 'provider-unreachable');
}

/** Returns the model's window, which /api/show gives under the name of its architecture; null where it is missing. */
export function contextLength(shown: Json): number | null {
  const info = asObject(shown['model_info']);
  const value = info[`${info['general.architecture']}.context_length`];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

/** Returns the number of weights, which /api/show gives as `14.8B`; null where it is missing. */
export function weightsOf(shown: Json): number | null {
  const [, number, unit] = /^([\d.]+)([KMBT])$/i.exec(String(asObject(shown['details'])['parameter_size'])) ?? [];
  const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  return number === undefined ? null : Number(number) * units[unit!.toUpperCase()]!;
}

/**
 * Returns the digest of a model's modelfile, which names the weights by their SHA-256 and contains the template and
 * all parameters.
 */
export function digestOf({ modelfile }: Json): string | null {
  if (typeof modelfile !== 'string') return null;
  return createHash('sha256').update(modelfile).digest('hex').slice(0, 16);
}

const usualCallsAtOnce = 4;

/**
 * Returns the number of concurrent calls. The server does not report it; OLLAMA_NUM_PARALLEL of this environment is
 * assumed to apply to it. A server that runs models itself may queue calls, whose time would run meanwhile.
 */
function callsAtOnce({ env }: OllamaTarget, isRemote: boolean): Pick<ModelInfo, 'callsAtOnce' | 'callsToTry'> {
  const told = Number(env['OLLAMA_NUM_PARALLEL']);
  if (Number.isInteger(told) && told > 0) return { callsAtOnce: Math.min(told, 64) };
  return isRemote ? { callsAtOnce: usualCallsAtOnce } : { callsAtOnce: 1, callsToTry: usualCallsAtOnce };
}

function assertChats(target: OllamaTarget, capabilities: readonly unknown[]): void {
  // Servers before 0.6.4 do not tell capabilities.
  if (capabilities.length === 0 || capabilities.includes('completion')) return;
  throw new RlmError('model-missing', `"${target.model}" cannot chat: it is made for ${capabilities.join(', ')}`, {
    hint: 'Choose another with --model. To see what is there: rlm models list',
  });
}

/** Returns how the model thinks: gpt-oss always thinks, more or less; others think unless it is switched off. */
function thinkingOf(shown: Json): Thinking {
  if (!asList(shown['capabilities']).includes('thinking')) return 'never';
  const { family } = asObject(shown['details']);
  return family === 'gptoss' || family === 'gpt-oss' ? 'always' : 'switched';
}

function readModel(target: OllamaTarget, shown: Json): OllamaModel {
  const capabilities = asList(shown['capabilities']);
  assertChats(target, capabilities);
  const window = contextLength(shown);
  const remote = remoteHost(target, shown);
  const notices = [
    ...(window === null
      ? [`Ollama does not say how long a text ${target.model} can read; a window of ${assumedWindow} tokens is assumed`]
      : []),
    ...(remote === null ? [] : [remoteNotice(target, remote)]),
  ];
  const maxWindowTokens = window ?? assumedWindow;
  const info: ModelInfo = {
    model: target.model,
    maxWindowTokens,
    loadsWindow: remote === null,
    structuredOutput: true,
    tools: capabilities.includes('tools'),
    weights: weightsOf(shown),
    spends: remote === null ? 'tokens' : 'money',
    digest: digestOf(shown),
    ...callsAtOnce(target, remote !== null),
    answersWithoutText: true,
    notices,
  };
  return { info, thinking: thinkingOf(shown), remote };
}

/** Loads the client, and what its first request makes Node load, while the server looks for the model: 30 ms. */
function loadClient(): void {
  loadOllamaClient().then(
    () => globalThis.Headers,
    () => null, // The first call will say why.
  );
}

async function show(http: HttpFetch, target: OllamaTarget, init: HttpInit, signal: AbortSignal): Promise<Json> {
  const body = JSON.stringify({ model: target.model });
  const response = await request(http, target, '/api/show', { ...init, method: 'POST', body, signal });
  if (response.status !== 200) throw await explainRefusal(http, target, signal, response);
  const shown = parseObject(response.text) ?? {};
  const known = ['model_info', 'details', 'capabilities', 'modelfile'].some((key) => key in shown);
  if (!known) throw notOllama(target, 'it answers /api/show with something else', 'provider-unreachable');
  return shown;
}

/** Before the first call, a broken connection or an unreadable reply means that the server is unreachable. */
function asUnavailable(error: unknown, target: OllamaTarget): RlmError {
  const known = fromConnection(error, target);
  if (['provider-unreachable', 'model-missing', 'credentials-refused'].includes(known.code)) return known;
  const { message, hint, transient, retryAfterMs } = known;
  return new RlmError('provider-unreachable', message, { hint, transient, retryAfterMs, cause: error });
}

/**
 * Reads the model's details, in one request where all is well. Throws `provider-unreachable`, `model-missing` or
 * `credentials-refused`, or the signal's reason.
 */
export async function showOllama(
  http: HttpFetch,
  target: OllamaTarget,
  signal: AbortSignal,
  init: HttpInit = {},
): Promise<Json> {
  try {
    return await show(http, target, init, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw asUnavailable(error, target);
  }
}

/** Asks the server for a model that chats. Throws as `showOllama` does, and `model-missing` for one that does not. */
export const inspectOllama = async (http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<OllamaModel> =>
  readModel(target, await showOllama(http, target, signal, { onSent: loadClient }));

/** Returns the window that the model is loaded with, in tokens; null when the server does not report it. */
export async function loadedWindow(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<number | null> {
  try {
    const { status, text } = await request(http, target, '/api/ps', { signal });
    if (status !== 200) return null;
    const models = asList(parseObject(text)?.['models']).map(asObject);
    const names = [target.model, `${target.model}:latest`];
    const loaded = models.find(({ name, model }) => names.includes(String(name)) || names.includes(String(model)));
    const length = loaded?.['context_length'];
    return typeof length === 'number' && length > 0 ? length : null;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
