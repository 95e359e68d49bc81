import type { ModelRequest, Provider } from '../provider.ts';
import { assertWhole, fitsAnyWindow } from '../wire/cut-prompt.ts';
import { calling } from '../wire/requests.ts';
import { chat, type OfferMemory } from './chat.ts';
import { describeOllama, inspectOllama, loadedWindow, surveyOllama, unchosenRemote } from './inspect.ts';
import { type OllamaOptions, type OllamaTarget, readOllamaTarget } from './target.ts';

/** Creates the function that returns the window that the server used, which may be smaller than requested. */
function createUsedWindow(target: OllamaTarget) {
  let knownToSuffice = 0;
  return async (request: ModelRequest, counted: number | null, signal: AbortSignal): Promise<number> => {
    const { windowTokens: asked } = request;
    if (asked <= knownToSuffice || counted === null || fitsAnyWindow(request)) return asked;
    const loaded = await loadedWindow(target, signal);
    if (loaded === null || loaded >= asked) knownToSuffice = asked;
    // A count above the loaded window means that the server has since reloaded the model for another client.
    return loaded === null || counted > loaded ? asked : Math.min(asked, loaded);
  };
}

/**
 * Creates the provider for an Ollama server, through its native chat API. Throws `config-invalid` when the host is not
 * an address.
 */
export function createOllamaProvider(options: OllamaOptions): Provider {
  const target = readOllamaTarget(options, false);
  const offers: OfferMemory = { tools: true, logprobs: true, thinks: [] };
  const usedWindow = createUsedWindow(target);

  return {
    name: 'ollama',
    async inspect(signal) {
      const found = await inspectOllama(target, signal);
      if (options.refuseRemote && found.remote !== null) throw unchosenRemote(target, found.remote);
      offers.thinks = found.thinks;
      return found.info;
    },
    survey: (signal) => surveyOllama(target, signal),
    show: (signal) => describeOllama(target, signal),
    pull: async (pulling) => (await import('./pull.ts')).pullOllama(target, pulling),
    call: (request, called) =>
      calling(target, called.signal, async () => {
        const reply = await chat(request, called, target, offers);
        const counted = reply.tokens?.input ?? null;
        assertWhole(request, counted, await usedWindow(request, counted, called.signal), target);
        return reply;
      }),
  };
}
