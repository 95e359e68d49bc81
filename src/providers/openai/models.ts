import { withDeadline } from '../../base/abort.ts';
import { isLocalAddress } from '../../base/local-address.ts';
import { RlmError } from '../../errors.ts';
import type { ModelInfo, ModelSummary, Survey } from '../provider.ts';
import { readFully } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject, positive } from '../wire/json.ts';
import { send } from '../wire/requests.ts';
import { fromStatus, modelMissing } from '../wire/server-errors.ts';
import { isOpenAi, type OpenAiTarget, otherThan } from './target.ts';

export interface ListedModel {
  readonly name: string;
  readonly said: Json;
}

/** Statuses of a server that has no list of models, such as a server with a single model. */
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

async function listModels(target: OpenAiTarget, signal: AbortSignal): Promise<ListedModel[] | null> {
  const response = await send(target, '/models', signal);
  const listed = await readFully(response, target.redact);
  if (unlisted.includes(listed.status)) return null;
  if (!response.ok) throw fromStatus(listed, target);
  const models = readList(listed.text);
  if (models === null) throw otherThan(target, `a list of models${hintAtVersion(target)}`, true);
  return models;
}

/** Suggests `/v1` for an address without a version. A missing `/v1` is the most common mistake. */
const hintAtVersion = ({ url, display }: OpenAiTarget): string =>
  /\/v\d/.test(new URL(url).pathname) ? '' : `; try ${display}/v1`;

/** Whether a model's name shows that it cannot chat. The API does not report the kind of a model. */
const isOtherKind = (name: string): boolean =>
  /embed|bge-|rerank|whisper|tts|transcribe|dall-e|image|moderation|realtime|audio|sora|davinci|babbage/i.test(name);

/** The preferred models of OpenAI, best first. They are cheap and do not think for long. */
const hostedModels = ['gpt-5.4-mini', 'gpt-4.1-mini', 'gpt-4o-mini', 'gpt-5-mini'];

export interface ChosenModel extends ListedModel {
  readonly isNamed: boolean;
}

/**
 * Returns the requested model. If no model is requested, returns one of `hostedModels` (only for OpenAI's server), or
 * else the first language model. Throws `model-missing`.
 */
export function chooseModel(
  wanted: string | null,
  models: readonly ListedModel[] | null,
  target: OpenAiTarget,
): ChosenModel {
  const hint = `Name one with ${target.names.modelFlag} (RLM_MODEL).`;
  if (wanted === null) {
    const chats = (models ?? []).filter(({ name }) => !isOtherKind(name));
    const known = isOpenAi(target) ? hostedModels.flatMap((name) => chats.filter((model) => model.name === name)) : [];
    const chosen = known[0] ?? chats[0];
    if (chosen !== undefined) return { ...chosen, isNamed: false };
    throw new RlmError('model-missing', `${target.display} lists no language model`, { hint });
  }
  if (models === null || models.length === 0) return { name: wanted, said: {}, isNamed: true };
  const listed = models.find(({ name }) => name === wanted || name === `${wanted}:latest`);
  if (listed !== undefined) return { ...listed, name: wanted, isNamed: true };
  // Gateways may serve unlisted models, under names that the user chose.
  if (!isLocalAddress(target.url) && !isOpenAi(target)) return { name: wanted, said: {}, isNamed: true };
  const names = models.map(({ name }) => name).sort();
  throw modelMissing({ ...target, model: wanted }, names, hint);
}

/** The keys of a model's window in lists of LM Studio (loaded), vLLM, OpenRouter, LM Studio (largest) and Groq. */
const windowNames = 'loaded_context_length max_model_len context_length max_context_length context_window'.split(' ');

const listedWindow = ({ said }: ListedModel): number | null =>
  windowNames.map((name) => positive(said[name])).find((window) => window !== null) ?? null;

/** Returns the window that a model was trained for, as llama.cpp lists it; the window in use may be far smaller. */
const trainedWindow = ({ said }: ListedModel): number | null => positive(asObject(said['meta'])['n_ctx_train']);

/** Windows in tokens, by the beginning of a model's name. */
const hostedWindows: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(gpt-4o|chatgpt-4o|gpt-4-turbo|gpt-4-\d{4}-preview)/, 128_000],
  [/^o\d/, 200_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5/, 16_385],
];

const hostedVision = /^(gpt-5|gpt-4\.1|gpt-4o|chatgpt-4o|gpt-4-turbo|o1(?!-mini)|o3(?!-mini)|o4)/;

function listedVision({ name, said }: ListedModel, target: OpenAiTarget): boolean | undefined {
  const modalities = asObject(said['architecture'])['input_modalities'];
  if (Array.isArray(modalities)) return modalities.includes('image');
  const { vision } = asObject(said['capabilities']);
  if (typeof vision === 'boolean') return vision;
  if (said['type'] === 'vlm' || said['type'] === 'llm') return said['type'] === 'vlm';
  return isOpenAi(target) ? hostedVision.test(name.replace(/^openai\//, '')) : undefined;
}

/** Returns the window of a model of OpenAI. Gateways prefix the model's name with `openai/`. */
const hostedWindow = (name: string): number | null =>
  hostedWindows.find(([family]) => family.test(name.replace(/^openai\//, '')))?.[1] ?? null;

/** Assumed windows in tokens. Local servers use a small window by default; hosted models have larger windows. */
const assumed = { local: 4096, remote: 16_384 };

const patienceMs = 2000;

/** Reads the JSON at a path beside `/v1`. Returns an empty object if the request fails or takes too long. */
async function askBeside(target: OpenAiTarget, path: string, signal: AbortSignal): Promise<Json> {
  const beside = { ...target, url: target.url.replace(/\/v1$/, '') };
  const late = () => new Error('too slow');
  try {
    return await withDeadline(patienceMs, late, signal, async (limited) => {
      const response = await send(beside, path, limited);
      const text = await response.text();
      return (response.ok ? parseObject(text) : null) ?? {};
    });
  } catch {
    signal.throwIfAborted();
    return {};
  }
}

async function askLocally(target: OpenAiTarget, name: string, signal: AbortSignal) {
  const [props, { data }] = await Promise.all([
    askBeside(target, '/props', signal),
    askBeside(target, '/api/v0/models', signal),
  ]);
  // llama.cpp's server reports its slots (for concurrent calls) and their window; LM Studio lists windows and kinds.
  const { default_generation_settings: settings, total_slots: slots, modalities } = props;
  const llamaCpp = { loaded_context_length: asObject(settings)['n_ctx'], capabilities: modalities };
  const lmStudio =
    asList(data)
      .map(asObject)
      .find(({ id }) => id === name) ?? {};
  return { slots: positive(slots), more: [llamaCpp, lmStudio].map((said) => ({ name, said })) };
}

type Serving = Awaited<ReturnType<typeof findServing>>;

/** Determines how the server runs the model. `set`: the window in the user's settings, in tokens, or null. */
export async function findServing(target: OpenAiTarget, model: ListedModel, set: number | null, signal: AbortSignal) {
  const isLocal = isLocalAddress(target.url);
  const known = set ?? listedWindow(model) ?? (isLocal ? null : hostedWindow(model.name));
  const asks = isLocal && known === null;
  const { slots, more } = asks ? await askLocally(target, model.name, signal) : { slots: null, more: [] };
  const found = more.map(listedWindow).find((window) => window !== null);
  const window = known ?? found ?? (isLocal ? trainedWindow(model) : null);
  return {
    windowTokens: window ?? (isLocal ? assumed.local : assumed.remote),
    /** False if the window is assumed. */
    isKnown: window !== null,
    /** Number of concurrent calls that the server serves; null if unknown. */
    slots,
    vision: [model, ...more].map((one) => listedVision(one, target)).find((says) => says !== undefined),
  };
}

/** Assumed number of concurrent calls for a local server that reports no number. */
const usualSlots = 4;
/** Assumed number of concurrent calls for servers that batch calls, such as hosted servers and vLLM. */
const batched = 8;

const mostListed = 12;

function noticesOf({ display }: OpenAiTarget, { name, isNamed }: ChosenModel, { isKnown, windowTokens }: Serving) {
  const chosen = `no model was named; ${display} has ${name}, which is used (to choose: --model)`;
  const assumes = `${display} does not report the window of ${name}; a window of ${windowTokens} tokens is assumed (openai.windowTokens)`;
  return [...(isNamed ? [] : [chosen]), ...(isKnown ? [] : [assumes])];
}

function callsAtOnce(model: ListedModel, { slots }: Serving, isLocal: boolean): number {
  if (slots !== null) return Math.min(slots, 64);
  return isLocal && !('max_model_len' in model.said) ? usualSlots : batched;
}

/** Asks the server for the model. Throws the errors of `listModels` and `chooseModel`, and the signal's reason. */
export async function inspectOpenAi(
  target: OpenAiTarget,
  wanted: { readonly model: string | null; readonly windowTokens: number | null },
  signal: AbortSignal,
): Promise<ModelInfo> {
  const models = await listModels(target, signal);
  const model = chooseModel(wanted.model, models, target);
  const serving = await findServing(target, model, wanted.windowTokens, signal);
  const isLocal = isLocalAddress(target.url);
  return {
    model: model.name,
    maxWindowTokens: serving.windowTokens,
    ...(!serving.isKnown && { windowIsAssumed: true }),
    structuredOutput: true,
    tools: true,
    ...(serving.vision !== undefined && { vision: serving.vision }),
    // A local address with a key may be a gateway or a tunnel to a paid server.
    spends: isLocal && target.apiKey === null ? 'tokens' : 'money',
    // The API reports no model version. The address distinguishes models of the same name on two servers.
    digest: target.display,
    callsAtOnce: callsAtOnce(model, serving, isLocal),
    answersWithoutText: true,
    notices: noticesOf(target, model, serving),
  };
}

const summarise = (model: ListedModel): ModelSummary => ({
  name: model.name,
  sizeBytes: null,
  capabilities: /embed/i.test(model.name) ? ['embedding'] : [],
  windowTokens: listedWindow(model),
});

/** Lists the models; if there are more than `mostListed`, only the requested one. Throws the errors of `listModels`. */
export async function surveyOpenAi(target: OpenAiTarget, wanted: string | null, signal: AbortSignal): Promise<Survey> {
  const models = (await listModels(target, signal)) ?? [];
  const shown = models.length > mostListed ? models.filter(({ name }) => name === wanted) : models;
  return { version: null, address: target.display, models: shown.map(summarise) };
}
