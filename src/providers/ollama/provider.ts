import type { Environment } from '../../config/setting-layers.ts';
import type { CallOptions, ModelRequest, Provider } from '../provider.ts';
import { fewestTokens, fitsAnyWindow, wasCut } from '../wire/cut-prompt.ts';
import { createHttpFetch } from '../wire/http.ts';
import { failingAs } from '../wire/http-errors.ts';
import { fromConnection, promptTooLong } from '../wire/server-errors.ts';
import { chat, createOffers } from './chat.ts';
import { type OllamaTarget, ollamaWords } from './errors.ts';
import { parseOllamaHost } from './host.ts';
import { inspectOllama, loadedWindow, unchosenRemote } from './inspect.ts';
import { describeOllama, surveyOllama } from './survey.ts';

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

const largerWindow = (window: number, { windowTokens }: ModelRequest): string =>
  window < windowTokens
    ? `Set context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) to ${window}, or have the server allow ${windowTokens}.`
    : 'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) or lower context.passages, and update Ollama: 0.12.6 and later refuse instead of cutting.';

/**
 * Creates the checks for one provider, which determines once the window that the server actually loaded.
 * @param loadedWindow asks the server; null when the server does not know.
 */
function createWindowCheck(target: OllamaTarget, loadedWindow: (signal: AbortSignal) => Promise<number | null>) {
  let knownToSuffice = 0;
  /** The loaded window, where it is smaller than requested. */
  let tooSmall = Number.POSITIVE_INFINITY;

  async function windowOf(request: ModelRequest, counted: number, options: CallOptions): Promise<number> {
    const asked = request.windowTokens;
    if (asked <= knownToSuffice) return asked;
    const loaded = await loadedWindow(options.signal);
    if (loaded === null || loaded >= asked) {
      knownToSuffice = asked;
      return asked;
    }
    // A count above it means that another client has had the model loaded anew since.
    if (counted > loaded) return asked;
    if (tooSmall === Number.POSITIVE_INFINITY) {
      options.onNotice?.(
        `the server runs ${target.model} with a window of ${loaded} tokens instead of the requested ${asked}; a prompt that does not fit is an error`,
      );
    }
    tooSmall = loaded;
    return loaded;
  }

  return {
    /** Throws `prompt-too-long` for a prompt that cannot fit what the server has loaded, whatever its tokenizer. */
    assertFits(request: ModelRequest): void {
      if (request.windowTokens <= tooSmall) return;
      const least = fewestTokens(request);
      if (least <= tooSmall) return;
      const what = `it has at least ${least} tokens, and the server runs the model with a window of ${tooSmall}`;
      throw promptTooLong(target, what, largerWindow(tooSmall, request));
    },
    /** Throws `prompt-too-long` when the server must have cut the prompt; says nothing where it did not count. */
    async assertWhole(request: ModelRequest, counted: number | null, options: CallOptions): Promise<void> {
      if (counted === null || fitsAnyWindow(request)) return;
      const window = await windowOf(request, counted, options);
      if (!wasCut(request, counted, window)) return;
      const what = `the server cut it to ${counted} tokens without saying so, since it runs the model with a window of ${window}`;
      throw promptTooLong(target, what, largerWindow(window, request));
    },
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
  const window = createWindowCheck(target, (signal) => loadedWindow(http, target, signal));
  const offers = createOffers();
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
        window.assertFits(request);
        const reply = await chat(request, options, { http, target, keepAlive, offers });
        await window.assertWhole(request, reply.tokens?.input ?? null, options);
        return reply;
      }),
  };
}
