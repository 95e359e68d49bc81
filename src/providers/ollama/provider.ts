import type { Environment } from '../../config/setting-layers.ts';
import type { ModelRequest, Provider } from '../provider.ts';
import { assertWhole, fitsAnyWindow } from '../wire/cut-prompt.ts';
import { createHttpFetch } from '../wire/http.ts';
import { failingAs } from '../wire/http-errors.ts';
import { fromConnection } from '../wire/server-errors.ts';
import { chat, createOffers } from './chat.ts';
import { type OllamaTarget, ollamaWords } from './errors.ts';
import { parseOllamaHost } from './host.ts';
import { describeOllama, inspectOllama, loadedWindow, surveyOllama, unchosenRemote } from './inspect.ts';

export interface OllamaOptions {
  /** The server's address, in any form that OLLAMA_HOST may have. */
  readonly host: string;
  readonly model: string;
  /** How long the server keeps the model loaded after a call: `5m`, or seconds; `-1` is for ever. */
  readonly keepAlive?: string;
  /** Whether to refuse a model that the server forwards to another one, because no trusted setting chose it. */
  readonly refuseRemote?: boolean;
  /** Removes secrets from the server's error messages; replies are redacted by the caller. */
  readonly redact?: (text: string) => string;
  /** The environment: OLLAMA_API_KEY, which ollama.com alone is sent, and OLLAMA_NUM_PARALLEL. Default: empty. */
  readonly env?: Environment;
}

/**
 * Creates the function that returns the window, in tokens, that the server read a request with: it may be less than was
 * asked for.
 * @param loadedWindow asks the server; null when the server does not know.
 */
function createUsedWindow(loadedWindow: (signal: AbortSignal) => Promise<number | null>) {
  let knownToSuffice = 0;
  return async (request: ModelRequest, counted: number | null, signal: AbortSignal): Promise<number> => {
    const { windowTokens: asked } = request;
    if (asked <= knownToSuffice || counted === null || fitsAnyWindow(request)) return asked;
    const loaded = await loadedWindow(signal);
    if (loaded === null || loaded >= asked) knownToSuffice = asked;
    // A count above it means that another client has had the model loaded anew since.
    return loaded === null || counted > loaded ? asked : Math.min(asked, loaded);
  };
}

/**
 * Creates the provider for an Ollama server, through its native chat API. Throws `config-invalid` when the host is no
 * address; `inspect` does when it refuses a remote model. `inspect` and `call` throw what the provider contract says,
 * and `call` also `prompt-too-long` when it finds that the server has cut the prompt.
 */
export function createOllamaProvider(options: OllamaOptions): Provider {
  const { host, model, keepAlive, refuseRemote = false, redact = (text) => text, env = {} } = options;
  const target: OllamaTarget = { ...parseOllamaHost(host), model, redact, words: ollamaWords(model), env };
  const http = createHttpFetch();
  const offers = createOffers();
  const usedWindow = createUsedWindow((signal) => loadedWindow(http, target, signal));
  const toError = (error: unknown) => fromConnection(error, target);

  return {
    name: 'ollama',
    async inspect(signal) {
      const found = await inspectOllama(http, target, signal);
      if (refuseRemote && found.remote !== null) throw unchosenRemote(target, found.remote);
      offers.expect(found.thinks);
      return found.info;
    },
    survey: (signal) => failingAs(toError, signal, () => surveyOllama(http, target, signal)),
    show: (signal) => describeOllama(http, target, signal),
    pull: async (options) => (await import('./pull.ts')).pullOllama(http, target, options),
    call: (request, options) =>
      failingAs(toError, options.signal, async () => {
        const reply = await chat(request, options, { http, target, keepAlive, offers });
        const counted = reply.tokens?.input ?? null;
        assertWhole(request, counted, await usedWindow(request, counted, options.signal), target);
        return reply;
      }),
  };
}
