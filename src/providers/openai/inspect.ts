import { isLocalAddress } from '../../base/local-address.ts';
import type { ModelInfo, ModelSummary, Survey } from '../provider.ts';
import type { HttpFetch } from '../wire/http.ts';
import { loadOpenAiClient } from './client.ts';
import { type ChosenModel, chooseModel, type ListedModel, listModels } from './models.ts';
import type { OpenAiTarget } from './target.ts';
import { findServing, listedWindow, type Serving } from './window.ts';

/** What a server reports about the model in use. */
export interface OpenAiModel {
  readonly info: ModelInfo;
  /** The window in tokens; null where it is only assumed. */
  readonly knownWindow: number | null;
}

/** Concurrent calls that a local server handles well, unless it reports another number. */
const usualSlots = 4;
/** Concurrent calls to servers that batch them, as hosted ones and vLLM do. */
const batched = 8;

/** Models that are listed, at most. */
const mostListed = 12;

function noticesOf(
  { display }: OpenAiTarget,
  { name, isNamed }: ChosenModel,
  { isKnown, windowTokens }: Serving,
): string[] {
  return [
    ...(isNamed ? [] : [`no model was named; ${display} has ${name}, which is used (to choose: --model)`]),
    ...(isKnown
      ? []
      : [
          `${display} does not say how long a text ${name} can read; a window of ${windowTokens} tokens is assumed (openai.windowTokens)`,
        ]),
  ];
}

function callsAtOnce(model: ListedModel, { slots }: Serving, isLocal: boolean): number {
  if (slots !== null) return Math.min(slots, 64);
  return isLocal && !('max_model_len' in model.said) ? usualSlots : batched;
}

/** Loads the client, and what its first request makes Node load, while the server looks for its models: 80 ms. */
function loadClient(): void {
  loadOpenAiClient().then(
    () => globalThis.Headers,
    () => null, // The first call will say why.
  );
}

/** Asks the server for the model. Throws what `listModels` and `chooseModel` do, and the signal's reason. */
export async function inspectOpenAi(
  http: HttpFetch,
  target: OpenAiTarget,
  wanted: { readonly model: string | null; readonly windowTokens: number | null },
  signal: AbortSignal,
): Promise<OpenAiModel> {
  const models = await listModels(http, target, signal, { onSent: loadClient });
  const model = chooseModel(wanted.model, models, target);
  const serving = await findServing(http, target, model, wanted.windowTokens, signal);
  const isLocal = isLocalAddress(target.url);
  const info: ModelInfo = {
    model: model.name,
    maxWindowTokens: serving.windowTokens,
    structuredOutput: true,
    tools: true,
    // A local address with a key may be a gateway, or the end of a tunnel, to a server that is paid.
    spends: isLocal && target.apiKey === null ? 'tokens' : 'money',
    // The API reports no model version; models of the same name on two servers are different.
    digest: target.display,
    callsAtOnce: callsAtOnce(model, serving, isLocal),
    answersWithoutText: true,
    notices: noticesOf(target, model, serving),
  };
  return { info, knownWindow: serving.isKnown ? serving.windowTokens : null };
}

const summarise = (model: ListedModel): ModelSummary => ({
  name: model.name,
  sizeBytes: null,
  capabilities: /embed/i.test(model.name) ? ['embedding'] : [],
  windowTokens: listedWindow(model),
});

/** Lists the server's models; of very many, only the requested one. Throws what `listModels` does. */
export async function surveyOpenAi(
  http: HttpFetch,
  target: OpenAiTarget,
  wanted: string | null,
  signal: AbortSignal,
): Promise<Survey> {
  const models = (await listModels(http, target, signal)) ?? [];
  const shown = models.length > mostListed ? models.filter(({ name }) => name === wanted) : models;
  return { version: null, address: target.display, models: shown.map(summarise) };
}
