import { nearest } from '../../base/nearest.ts';
import { sha256 } from '../../base/sha256.ts';
import { RlmError } from '../../errors.ts';
import type { ModelDetails, ModelInfo, ModelSummary, Survey } from '../provider.ts';
import { errorIn, type FullResponse } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject, positive } from '../wire/json.ts';
import { inspecting } from '../wire/requests.ts';
import { fromStatus, modelMissing, notTheServer, unreachable } from '../wire/server-errors.ts';
import type { ThinkValues } from './chat.ts';
import { type OllamaTarget, request } from './target.ts';

const assumedWindow = 4096;
const chooseAnother = 'Choose another model with --model. To list the installed models: rlm models list';

/** Matches the message about an invalid model name, which servers of 2025 send with the status 500. */
const invalidName = /^invalid model (path|name)/i;

const cloud = 'https://ollama.com';

/** Whether a name belongs to a cloud model. Newer servers forward requests to it without reporting a remote host. */
const isCloudName = (model: string) => /[:-]cloud$/i.test(model);

/** Returns the address at which a model runs, according to its name and /api/show; null for the server itself. */
export function remoteHost({ model, url }: OllamaTarget, shown: Json): string | null {
  const { remote_host: host, remote_model: name } = shown;
  if (typeof host === 'string' && host !== '') return host;
  const isElsewhere = (typeof name === 'string' && name !== '') || isCloudName(model);
  return isElsewhere && new URL(url).hostname !== new URL(cloud).hostname ? cloud : null;
}

export const remoteNotice = ({ model, display }: OllamaTarget, remote: string): string =>
  `${model} does not run on ${display} but at ${remote}, where the text is sent`;

export const unchosenRemote = (target: OllamaTarget, remote: string): RlmError =>
  new RlmError('config-invalid', `${remoteNotice(target, remote)}, and you did not choose this model yourself`, {
    hint: 'If you want that, name the model with --model or RLM_MODEL, or trust the project (trustedProjects). Otherwise choose another with --model.',
  });

const mostLookedAt = 8;

const objectIn = ({ status, text }: FullResponse): Json => (status === 200 ? parseObject(text) : null) ?? {};
const ask = async (...asked: Parameters<typeof request>): Promise<Json> => objectIn(await request(...asked));

type Listed = Pick<ModelSummary, 'name' | 'sizeBytes'>;

function readList(response: FullResponse): Listed[] | null {
  const { models } = objectIn(response);
  if (!Array.isArray(models) && models !== null) return null;
  const listed = asList(models).map(asObject);
  return listed.map(({ name, size }) => ({ name: String(name), sizeBytes: typeof size === 'number' ? size : null }));
}

const listModels = async (target: OllamaTarget, signal: AbortSignal): Promise<Listed[] | null> =>
  readList(await request(target, '/api/tags', signal));

async function canChat(target: OllamaTarget, name: string, signal: AbortSignal): Promise<boolean> {
  if (isCloudName(name)) return false;
  const shown = await ask(target, '/api/show', signal, { model: name });
  const can = asList(shown['capabilities']);
  return isShown(shown) && !shown['remote_host'] && (can.length === 0 || can.includes('completion'));
}

async function explainMissing(target: OllamaTarget, signal: AbortSignal, shown: FullResponse): Promise<RlmError> {
  const listed = await listModels(target, signal);
  if (listed !== null) {
    const bySize = listed.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0)).map(({ name }) => name);
    const first = nearest(target.model, bySize);
    const names = [...new Set([...(first === null ? [] : [first]), ...bySize])];
    const looked = target.makesVectors ? [] : names.slice(0, mostLookedAt);
    const can = await Promise.all(looked.map((name) => canChat(target, name, signal)));
    const usable = looked.find((_, index) => can[index]);
    const { missing } = target.words;
    const hint = usable && `Use an installed model: --model ${usable}. To download the missing one: ${missing}`;
    return modelMissing(target, names, hint);
  }
  // An Ollama server behind a gateway may show models but not list them. A 404 from Ollama itself names the model.
  if (errorIn(shown.text)?.includes('model')) return fromStatus(shown, target);
  return notTheServer(target, `it does not know /api/show (${shown.status})`, true);
}

async function explainRefusal(target: OllamaTarget, signal: AbortSignal, shown: FullResponse) {
  const error = errorIn(shown.text);
  if (shown.status === 404) return explainMissing(target, signal, shown);
  if (shown.status === 401 || shown.status === 403) return fromStatus(shown, target);
  if (error !== null && (shown.status === 400 || invalidName.test(error))) {
    const message = `Ollama at ${target.display} refuses the model name "${target.model}": ${error}`;
    return new RlmError('model-missing', message, { hint: chooseAnother });
  }
  const { message, transient, retryAfterMs } = fromStatus(shown, target);
  if (shown.status >= 500 || shown.status === 429) return unreachable(target, message, { transient, retryAfterMs });
  return notTheServer(target, `it answers /api/show with ${shown.status}`, true);
}

/** Returns the window in tokens, which /api/show gives under the name of the model's architecture. */
function contextLength(shown: Json): number | null {
  const info = asObject(shown['model_info']);
  return positive(info[`${info['general.architecture']}.context_length`]);
}

/** Returns the number of weights, which /api/show gives in the form `14.8B`. */
function weightsOf(shown: Json): number | null {
  const [, number, unit] = /^([\d.]+)([KMBT])$/i.exec(String(asObject(shown['details'])['parameter_size'])) ?? [];
  const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  return number === undefined ? null : Number(number) * units[unit!.toUpperCase()]!;
}

/** Returns the digest of a model's modelfile, which names the weights and contains template and parameters. */
export const digestOf = ({ modelfile }: Json): string | null => hashOf(modelfile);

const hashOf = (text: unknown): string | null => (typeof text === 'string' && text !== '' ? sha256(text, 16) : null);

const usualCallsAtOnce = 4;

function callsAtOnce({ env }: OllamaTarget, isRemote: boolean): Pick<ModelInfo, 'callsAtOnce' | 'callsToTry'> {
  const told = Number(env['OLLAMA_NUM_PARALLEL']);
  if (Number.isInteger(told) && told > 0) return { callsAtOnce: Math.min(told, 64) };
  return isRemote ? { callsAtOnce: usualCallsAtOnce } : { callsAtOnce: 1, callsToTry: usualCallsAtOnce };
}

function assertChats(target: OllamaTarget, capabilities: readonly unknown[]): void {
  // Servers before 0.6.4 do not report capabilities.
  if (capabilities.length === 0 || capabilities.includes('completion')) return;
  const message = `"${target.model}" cannot chat: it is made for ${capabilities.join(', ')}`;
  throw new RlmError('model-missing', message, { hint: chooseAnother });
}

/** Returns the values of `think` that a model accepts. gpt-oss always thinks; other models need not think. */
function thinkValues(shown: Json): ThinkValues {
  const values = asList(asObject(shown['thinking'])['values']);
  const reported = values.filter((value) => typeof value === 'boolean' || typeof value === 'string');
  if (reported.length > 0) return reported;
  if (!asList(shown['capabilities']).includes('thinking')) return [];
  const { family } = asObject(shown['details']);
  return family === 'gptoss' || family === 'gpt-oss' ? ['low', 'medium', 'high'] : [false, true, 'low'];
}

function readModel(target: OllamaTarget, shown: Json) {
  const capabilities = asList(shown['capabilities']);
  assertChats(target, capabilities);
  const window = contextLength(shown);
  const remote = remoteHost(target, shown);
  const assumes = `Ollama does not report the window of ${target.model}; a window of ${assumedWindow} tokens is assumed`;
  const info: ModelInfo = {
    model: target.model,
    maxWindowTokens: window ?? assumedWindow,
    ...(window === null && { windowIsAssumed: true }),
    loadsWindow: remote === null,
    structuredOutput: true,
    tools: capabilities.includes('tools'),
    ...(capabilities.length > 0 && { vision: capabilities.includes('vision') }),
    weights: weightsOf(shown),
    spends: remote === null ? 'tokens' : 'money',
    digest: digestOf(shown),
    ...callsAtOnce(target, remote !== null),
    answersWithoutText: true,
    notices: [...(window === null ? [assumes] : []), ...(remote === null ? [] : [remoteNotice(target, remote)])],
  };
  // `remote`: the host that the model runs on; null for the server itself.
  return { info, thinks: thinkValues(shown), remote };
}

const isShown = (shown: Json): boolean =>
  ['model_info', 'details', 'capabilities', 'modelfile'].some((key) => key in shown);

async function show(target: OllamaTarget, signal: AbortSignal): Promise<Json> {
  const response = await request(target, '/api/show', signal, { model: target.model });
  if (response.status !== 200) throw await explainRefusal(target, signal, response);
  const shown = parseObject(response.text) ?? {};
  if (!isShown(shown)) throw notTheServer(target, 'its answer to /api/show describes no model', true);
  return shown;
}

/** Reads the model's details. Throws as `inspect` of the provider contract does. */
export const showOllama = (target: OllamaTarget, signal: AbortSignal): Promise<Json> =>
  inspecting(target, signal, () => show(target, signal));

/** Asks the server for the model. Throws as `showOllama` does, or `model-missing` if the model cannot chat. */
export const inspectOllama = async (target: OllamaTarget, signal: AbortSignal) =>
  readModel(target, await showOllama(target, signal));

async function summarise(target: OllamaTarget, listed: Listed, signal: AbortSignal): Promise<ModelSummary> {
  const shown = await ask(target, '/api/show', signal, { model: listed.name });
  return {
    ...listed,
    weights: weightsOf(shown),
    capabilities: asList(shown['capabilities']).map(String),
    windowTokens: contextLength(shown),
  };
}

/** Lists the server's models. Throws as `inspect` of the provider contract does. */
export const surveyOllama = (target: OllamaTarget, signal: AbortSignal): Promise<Survey> =>
  inspecting(target, signal, async () => {
    const get = (path: string) => request(target, path, signal);
    const [about, tags] = await Promise.all([get('/api/version'), get('/api/tags')]);
    const { version } = objectIn(about);
    const models = readList(tags);
    const isFailure = [401, 403, 429].includes(tags.status) || tags.status >= 500;
    if (isFailure) throw fromStatus(tags, target);
    if (models === null) throw notTheServer(target, 'it does not list models', true);
    return {
      version: typeof version === 'string' ? version : null,
      address: target.display,
      models: await Promise.all(models.map((listed) => summarise(target, listed, signal))),
    };
  });

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads lines that consist of a name, blanks and a value, perhaps in quotes. Several lines may have the same name. */
function readParameters(table: unknown): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of typeof table === 'string' ? table.split('\n') : []) {
    const [, name, value] = /^\s*(\S+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    found.set(name, [...(found.get(name) ?? []), value.replace(/^"(.*)"$/, '$1')]);
  }
  return Object.fromEntries(found);
}

const namesOf = ({ model }: OllamaTarget): readonly string[] => [model, `${model}:latest`];

/** Returns the size of the model in bytes, which only the list of all models contains; null if unknown. */
async function sizeOf(target: OllamaTarget, signal: AbortSignal): Promise<number | null> {
  const listed = await listModels(target, signal).catch(() => null);
  signal.throwIfAborted();
  return listed?.find(({ name }) => namesOf(target).includes(name))?.sizeBytes ?? null;
}

/** Returns all details of the model. Throws as `inspect` does. */
export async function describeOllama(target: OllamaTarget, signal: AbortSignal): Promise<ModelDetails> {
  const shown = await showOllama(target, signal);
  const { family, parameter_size: parameterSize, quantization_level: quantization } = asObject(shown['details']);
  return {
    name: target.model,
    sizeBytes: await sizeOf(target, signal),
    capabilities: asList(shown['capabilities']).map(String),
    windowTokens: contextLength(shown),
    family: textOrNull(family),
    parameterSize: textOrNull(parameterSize),
    quantization: textOrNull(quantization),
    parameters: readParameters(shown['parameters']),
    templateDigest: hashOf(shown['template']),
  };
}

/** Returns the window that the model is loaded with, in tokens; null when the server does not report it. */
export async function loadedWindow(target: OllamaTarget, signal: AbortSignal): Promise<number | null> {
  try {
    const { status, text } = await request(target, '/api/ps', signal);
    if (status !== 200) return null;
    const models = asList(parseObject(text)?.['models']).map(asObject);
    const names = namesOf(target);
    const loaded = models.find(({ name, model }) => names.includes(String(name)) || names.includes(String(model)));
    return positive(loaded?.['context_length']);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
