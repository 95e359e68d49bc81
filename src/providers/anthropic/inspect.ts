import { RlmError } from '../../errors.ts';
import type { ModelInfo, ModelSummary, Survey } from '../provider.ts';
import { asObject, type Json, positive } from '../wire/json.ts';
import { inspecting, type Server } from '../wire/requests.ts';
import { modelMissing, notTheServer, type ServerTarget } from '../wire/server-errors.ts';
import { getJson } from './client.ts';
import type { RequestMeans } from './request.ts';

/** The smallest window of Anthropic's models, in tokens. */
const assumedWindow = 200_000;
export const hosted = 'api.anthropic.com';

/** The assumed abilities of an unknown model. */
export const assumedMeans: RequestMeans = {
  form: 'schema',
  thinking: null,
  thinks: 'adaptive',
  effort: null,
  takesEffort: true,
  caches: true,
  maxOutputTokens: null,
};

const isSupported = (capability: unknown): boolean => asObject(capability)['supported'] === true;

async function listModels(server: Server, signal: AbortSignal): Promise<Json[]> {
  const { data } = await getJson(server, '/v1/models?limit=1000', signal);
  if (!Array.isArray(data)) throw notTheServer(server, 'it does not list models', true);
  return data.map(asObject);
}

const nameOf = ({ id }: Json): string => (typeof id === 'string' ? id : '');

/** Falls back to the list of all models, because some servers cannot show a single model. */
async function show(server: Server, signal: AbortSignal): Promise<Json> {
  try {
    const shown = await getJson(server, `/v1/models/${encodeURIComponent(server.model)}`, signal);
    if (nameOf(shown) === '') throw notTheServer(server, 'it shows no model', true);
    return shown;
  } catch (error) {
    if (!(error instanceof RlmError) || error.code !== 'model-missing') throw error;
    const models = await listModels(server, signal);
    const listed = models.find((model) => nameOf(model) === server.model);
    if (listed !== undefined) return listed;
    throw modelMissing(server, models.map(nameOf));
  }
}

function thinkingMeans({ thinking, effort }: Json) {
  const types = asObject(asObject(thinking)['types']);
  const takesEffort = isSupported(effort);
  if (!isSupported(thinking))
    return { thinking: null, thinks: null, effort: null, takesEffort, alwaysThinks: false } as const;
  const off = (['disabled', 'between_tools'] as const).find((type) => isSupported(types[type])) ?? null;
  const thinks = (['adaptive', 'enabled'] as const).find((type) => isSupported(types[type])) ?? null;
  const short = off === null && isSupported(asObject(effort)['low']) ? ('low' as const) : null;
  return { thinking: off, thinks, effort: short, takesEffort, alwaysThinks: off === null };
}

function noticesOf(target: ServerTarget, shown: Json, alwaysThinks: boolean): string[] {
  const { model } = target;
  const end = typeof shown['retires_at'] === 'string' ? ` and ends on ${shown['retires_at'].slice(0, 10)}` : '';
  const assumes = `${target.display} does not report the window of ${model}; ${assumedWindow} tokens are assumed`;
  const thinks = `${model} always thinks before it replies, and its thinking counts towards reply.maxTokens; raise this setting if replies are cut off`;
  return [
    ...(positive(shown['max_input_tokens']) === null ? [assumes] : []),
    ...(shown['lifecycle'] === 'deprecated' ? [`${model} is deprecated${end}; choose another with --model`] : []),
    ...(alwaysThinks ? [thinks] : []),
  ];
}

/** Returns whether the model reads pictures. On Anthropic's server every model does, even if this is not reported. */
function visionOf({ url }: ServerTarget, { image_input: told }: Json): Pick<ModelInfo, 'vision'> {
  if (told !== undefined) return { vision: isSupported(told) };
  return new URL(url).hostname === hosted ? { vision: true } : {};
}

function readModel(target: ServerTarget, shown: Json) {
  const { model } = target;
  if (shown['lifecycle'] === 'retired') {
    const { missing: hint } = target.words;
    throw new RlmError('model-missing', `${model} is no longer served: it is retired`, { hint });
  }
  const capabilities = asObject(shown['capabilities']);
  const { alwaysThinks, ...thinking } = thinkingMeans(capabilities);
  const structured = asObject(capabilities['structured_outputs']);
  const info: ModelInfo = {
    model,
    maxWindowTokens: positive(shown['max_input_tokens']) ?? assumedWindow,
    structuredOutput: true,
    tools: true,
    ...visionOf(target, capabilities),
    spends: 'money',
    // If the model is an alias, the server reports the version that the alias names today.
    digest: nameOf(shown) || null,
    callsAtOnce: 8,
    answersWithoutText: true,
    notices: noticesOf(target, shown, alwaysThinks),
  };
  const means: RequestMeans = {
    ...assumedMeans,
    ...thinking,
    form: structured['supported'] === false ? 'tool' : 'schema',
    maxOutputTokens: positive(shown['max_tokens']),
  };
  return { info, means };
}

/** Asks the server for the model. Throws as `inspect` of the provider contract does. */
export const inspectAnthropic = (server: Server, signal: AbortSignal) =>
  inspecting(server, signal, async () => readModel(server, await show(server, signal)));

function summarise(listed: Json): ModelSummary {
  const { thinking, structured_outputs: structured } = asObject(listed['capabilities']);
  const [thinks, structures] = [isSupported(thinking), isSupported(structured)];
  return {
    name: nameOf(listed),
    sizeBytes: null,
    capabilities: [
      'completion',
      'tools',
      ...(thinks ? ['thinking'] : []),
      ...(structures ? ['structured output'] : []),
    ],
    windowTokens: positive(listed['max_input_tokens']),
  };
}

/** Lists the server's models. Throws as `inspectAnthropic` does. */
export const surveyAnthropic = (server: Server, signal: AbortSignal): Promise<Survey> =>
  inspecting(server, signal, async () => {
    const models = (await listModels(server, signal)).map(summarise);
    return { version: null, address: server.display, models };
  });
