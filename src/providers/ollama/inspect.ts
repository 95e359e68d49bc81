/** What an Ollama server tells of a model before the first call, or why it cannot serve it. */
import { createHash } from 'node:crypto';
import { nearest } from '../../base/nearest.ts';
import { RlmError } from '../../errors.ts';
import type { ModelInfo } from '../provider.ts';
import type { HttpFetch } from '../wire/http.ts';
import { asUnavailable, errorIn, type FullResponse, failingAs } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import { fromConnection, fromStatus, modelMissing, notTheServer, unreachable } from '../wire/server-errors.ts';
import type { ThinkValues } from './chat.ts';
import type { OllamaTarget } from './errors.ts';
import { request } from './host.ts';

/** What Ollama reports about a model, with details for calls. */
export interface OllamaModel {
  readonly info: ModelInfo;
  readonly thinks: ThinkValues;
  /** The host that it runs on, if not the server itself; else null. */
  readonly remote: string | null;
}

const assumedWindow = 4096;

/** Servers of 2025 say this with the status 500. */
const invalidName = /^invalid model (path|name)/i;

const cloud = 'https://ollama.com';

/** Whether a name is forwarded by newer servers that do not have the model and do not report a remote host. */
const isCloudName = (model: string) => /[:-]cloud$/i.test(model);

/** Returns where a model runs, by its name and /api/show; null for the server itself. */
export function remoteHost({ model, url }: OllamaTarget, shown: Json): string | null {
  const { remote_host: host, remote_model: name } = shown;
  if (typeof host === 'string' && host !== '') return host;
  const isElsewhere = (typeof name === 'string' && name !== '') || isCloudName(model);
  return isElsewhere && new URL(url).hostname !== new URL(cloud).hostname ? cloud : null;
}

/** Returns the notice before the text leaves the machine. */
export const remoteNotice = ({ model, display }: OllamaTarget, remote: string): string =>
  `${model} does not run on ${display} but at ${remote}, where the text is sent`;

/** Creates the error for a remote model that the user did not choose. */
export const unchosenRemote = (target: OllamaTarget, remote: string): RlmError =>
  new RlmError('config-invalid', `the project file names a model that gets the text: ${remoteNotice(target, remote)}`, {
    hint: 'If you want that, name the model yourself with --model or RLM_MODEL, or trust the project (trustedProjects). Else choose another with --model.',
  });

interface Listed {
  readonly name: string;
  readonly size: number;
}

/** Models that are looked at for a substitute, at most. */
const mostLookedAt = 8;

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
  const first = nearest(
    model,
    listed.map(({ name }) => name),
  );
  const like = (name: string) => (name === first ? 0 : name.startsWith(family) ? 1 : 2);
  return listed.toSorted((a, b) => like(a.name) - like(b.name) || b.size - a.size).map(({ name }) => name);
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

/** Creates the error for a model that the server does not show. */
async function explainMissing(
  http: HttpFetch,
  target: OllamaTarget,
  signal: AbortSignal,
  shown: FullResponse,
): Promise<RlmError> {
  const listed = await listModels(http, target, signal);
  if (listed !== null) {
    const names = sortByLikeness(target.model, listed);
    const looked = target.makesVectors === true ? [] : names.slice(0, mostLookedAt);
    const can = await Promise.all(looked.map((name) => canChat(http, target, name, signal)));
    const usable = looked.find((_, index) => can[index]);
    const { missing } = target.words;
    return modelMissing(
      target,
      names,
      usable && `Use one that is there: --model ${usable}. To download the missing one: ${missing}`,
    );
  }
  // An Ollama behind a gate may show models and not list them; its own 404 names the model.
  if (errorIn(shown.text)?.includes('model')) return fromStatus(shown, target);
  return notTheServer(target, `it does not know /api/show (${shown.status})`, true);
}

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
  return notTheServer(target, `it answers /api/show with ${shown.status}`, true);
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

/** Returns the values of `think` that the model takes: gpt-oss always thinks, more or less; others can be switched. */
function thinkValues(shown: Json): ThinkValues {
  const values = asList(asObject(shown['thinking'])['values']);
  const reported = values.filter((value) => typeof value === 'boolean' || typeof value === 'string');
  if (reported.length > 0) return reported;
  if (!asList(shown['capabilities']).includes('thinking')) return [];
  const { family } = asObject(shown['details']);
  return family === 'gptoss' || family === 'gpt-oss' ? ['low', 'medium', 'high'] : [false, true, 'low'];
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
    ...(capabilities.length > 0 && { vision: capabilities.includes('vision') }),
    weights: weightsOf(shown),
    spends: remote === null ? 'tokens' : 'money',
    digest: digestOf(shown),
    ...callsAtOnce(target, remote !== null),
    answersWithoutText: true,
    notices,
  };
  return { info, thinks: thinkValues(shown), remote };
}

async function show(http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<Json> {
  const body = JSON.stringify({ model: target.model });
  const response = await request(http, target, '/api/show', { method: 'POST', body, signal });
  if (response.status !== 200) throw await explainRefusal(http, target, signal, response);
  const shown = parseObject(response.text) ?? {};
  const known = ['model_info', 'details', 'capabilities', 'modelfile'].some((key) => key in shown);
  if (!known) throw notTheServer(target, 'it answers /api/show with something else', true);
  return shown;
}

/**
 * Reads the model's details, in one request where all is well. Throws `provider-unreachable`, `model-missing` or
 * `credentials-refused`, or the signal's reason.
 */
export const showOllama = (http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<Json> =>
  failingAs(
    (error) => asUnavailable(fromConnection(error, target)),
    signal,
    () => show(http, target, signal),
  );

/** Asks the server for a model that chats. Throws as `showOllama` does, and `model-missing` for one that does not. */
export const inspectOllama = async (http: HttpFetch, target: OllamaTarget, signal: AbortSignal): Promise<OllamaModel> =>
  readModel(target, await showOllama(http, target, signal));

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
