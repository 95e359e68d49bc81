/**
 * Determines the window of a model, which the API does not report: servers report it in different ways, or not at all.
 */
import { withDeadline } from '../../base/abort.ts';
import { isLocalAddress } from '../../base/local-address.ts';
import type { HttpFetch } from '../wire/http.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import type { ListedModel } from './models.ts';
import { type OpenAiTarget, openAiHeaders } from './target.ts';

/** How a server runs a model. */
export interface Serving {
  /** In tokens. */
  readonly windowTokens: number;
  /** Whether the server or the user stated the window, or it is OpenAI's own model; else it is assumed. */
  readonly isKnown: boolean;
  /** Concurrent calls that it serves; null where it does not report them. */
  readonly slots: number | null;
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

/**
 * Reads the window in a list of models: LM Studio's loaded model, vLLM, OpenRouter and others, LM Studio, Groq.
 * llama.cpp lists the window that the model was trained for, which may be far larger than the one in use.
 */
export const listedWindow = ({ said }: ListedModel): number | null =>
  positive(said['loaded_context_length']) ??
  positive(said['max_model_len']) ??
  positive(said['context_length']) ??
  positive(said['max_context_length']) ??
  positive(said['context_window']);

const trainedWindow = ({ said }: ListedModel): number | null => positive(asObject(said['meta'])['n_ctx_train']);

/**
 * Windows of OpenAI's own models by the beginning of their names, in tokens; the longest prompt where that is shorter.
 */
const hostedWindows: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-4-\d{4}-preview)/, 128_000],
  [/^o\d/, 200_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5/, 16_385],
];

/** Returns the window of an OpenAI model; gateways prefix the name with the maker. */
const hostedWindow = (name: string): number | undefined =>
  hostedWindows.find(([family]) => family.test(name.replace(/^openai\//, '')))?.[1];

/** Assumed windows in tokens: local servers start small by default; hosted models have a larger one. */
const assumed = { local: 4096, remote: 16_384 };

/** Time limit of an optional request, in ms. */
const patienceMs = 2000;

/** Reads a path next to the API of a local server; empty where it does not exist. */
async function askBeside(http: HttpFetch, target: OpenAiTarget, path: string, signal: AbortSignal): Promise<Json> {
  const url = `${target.url.replace(/\/v1$/, '')}${path}`;
  const late = () => new Error('too slow');
  try {
    return await withDeadline(patienceMs, late, signal, async (either) => {
      const response = await http(url, { headers: openAiHeaders(target), signal: either });
      const text = await response.text();
      return (response.ok ? parseObject(text) : null) ?? {};
    });
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

/** Asks llama.cpp's server for the window of each slot, and the number of slots. */
async function askLlamaCpp(http: HttpFetch, target: OpenAiTarget, signal: AbortSignal) {
  const { default_generation_settings: settings, total_slots: slots } = await askBeside(http, target, '/props', signal);
  return { window: positive(asObject(settings)['n_ctx']), slots: positive(slots) };
}

/** Asks LM Studio for its own list, which contains the windows. */
async function askLmStudio(http: HttpFetch, target: OpenAiTarget, model: string, signal: AbortSignal) {
  const { data } = await askBeside(http, target, '/api/v0/models', signal);
  const said = asList(data)
    .map(asObject)
    .find(({ id }) => id === model);
  return said === undefined ? null : listedWindow({ name: model, said });
}

/** Asks a server on the user's own machines for details outside the API. */
async function askLocally(http: HttpFetch, target: OpenAiTarget, model: ListedModel, signal: AbortSignal) {
  const [{ window, slots }, lmStudio] = await Promise.all([
    askLlamaCpp(http, target, signal),
    askLmStudio(http, target, model.name, signal),
  ]);
  return { window: window ?? lmStudio ?? trainedWindow(model), slots };
}

/**
 * Determines how the server runs the model.
 * @param told the user's setting of the window, in tokens; null: none.
 * @throws the signal's reason.
 */
export async function findServing(
  http: HttpFetch,
  target: OpenAiTarget,
  model: ListedModel,
  told: number | null,
  signal: AbortSignal,
): Promise<Serving> {
  const listed = told ?? listedWindow(model);
  if (listed !== null) return { windowTokens: listed, isKnown: true, slots: null };
  const isLocal = isLocalAddress(target.url);
  const hosted = isLocal ? undefined : hostedWindow(model.name);
  if (hosted !== undefined) return { windowTokens: hosted, isKnown: true, slots: null };
  const { window, slots } = isLocal ? await askLocally(http, target, model, signal) : { window: null, slots: null };
  const windowTokens = window ?? (isLocal ? assumed.local : assumed.remote);
  return { windowTokens, isKnown: window !== null, slots };
}
