/** The window of a model, which the API does not tell: servers have ways of their own, and some have none. */
import { withDeadline } from '../../base/abort.ts';
import { isLocalAddress } from '../../base/local-address.ts';
import type { HttpFetch } from '../wire/http.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import type { ListedModel } from './models.ts';
import { type OpenAiTarget, openAiHeaders } from './target.ts';

/** What is known of how a server runs a model. */
export interface Serving {
  /** In tokens. */
  readonly windowTokens: number;
  /** Whether the server or the user told it, or it is OpenAI's own model; else it is assumed. */
  readonly isKnown: boolean;
  /** How many calls it serves at once; null where it does not tell. */
  readonly slots: number | null;
}

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;

/**
 * The window that a list of models tells: LM Studio's loaded model, vLLM, OpenRouter and others, LM Studio, Groq.
 * What llama.cpp tells there is what the model was trained for, which may be far more than what it was started with.
 */
export const listedWindow = ({ said }: ListedModel): number | null =>
  positive(said['loaded_context_length']) ??
  positive(said['max_model_len']) ??
  positive(said['context_length']) ??
  positive(said['max_context_length']) ??
  positive(said['context_window']);

const trainedWindow = ({ said }: ListedModel): number | null => positive(asObject(said['meta'])['n_ctx_train']);

/**
 * OpenAI's own models by the beginning of their names, in tokens; the longest prompt where that is less than the
 * window.
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

/** Gateways put the maker before the name. */
const hostedWindow = (name: string): number | undefined =>
  hostedWindows.find(([family]) => family.test(name.replace(/^openai\//, '')))?.[1];

/** Local servers start small unless they are told; whoever sells a model has a larger one. */
const assumed = { local: 4096, remote: 16_384 };

/** How long a server may take to tell what it need not, in ms. */
const patienceMs = 2000;

/** Reads a path beside the API of a local server; nothing where there is none. */
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

/** llama.cpp's server: the window of each slot, and how many there are. */
async function askLlamaCpp(http: HttpFetch, target: OpenAiTarget, signal: AbortSignal) {
  const { default_generation_settings: settings, total_slots: slots } = await askBeside(http, target, '/props', signal);
  return { window: positive(asObject(settings)['n_ctx']), slots: positive(slots) };
}

/** LM Studio's own list, which tells the windows. */
async function askLmStudio(http: HttpFetch, target: OpenAiTarget, model: string, signal: AbortSignal) {
  const { data } = await askBeside(http, target, '/api/v0/models', signal);
  const said = asList(data)
    .map(asObject)
    .find(({ id }) => id === model);
  return said === undefined ? null : listedWindow({ name: model, said });
}

/** What a server on the user's own machines tells besides the API. */
async function askLocally(http: HttpFetch, target: OpenAiTarget, model: ListedModel, signal: AbortSignal) {
  const [{ window, slots }, lmStudio] = await Promise.all([
    askLlamaCpp(http, target, signal),
    askLmStudio(http, target, model.name, signal),
  ]);
  return { window: window ?? lmStudio ?? trainedWindow(model), slots };
}

/**
 * Determines how the server runs the model.
 * @param told what the user says of the window, in tokens; null: nothing.
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
