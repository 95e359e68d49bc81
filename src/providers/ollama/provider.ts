import type { Environment } from '../../config/setting-layers.ts';
import type { CallOptions, ModelReply, ModelRequest, Provider } from '../provider.ts';
import { createHttpFetch, type HttpFetch } from '../wire/http.ts';
import { createOffers } from './chat/offers.ts';
import { collectReply, toReply } from './chat/reply.ts';
import { chatRequest, usedBy } from './chat/request.ts';
import { createGuardedFetch } from './chat/stream.ts';
import { createWindowCheck } from './chat/window.ts';
import { loadOllamaClient } from './client.ts';
import { fromConnection, type OllamaTarget } from './errors.ts';
import { parseOllamaHost } from './host.ts';
import { inspectOllama, loadedWindow } from './inspect.ts';
import { unchosenRemote } from './remote.ts';
import { surveyOllama } from './survey.ts';

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

/** The parts of each call. */
interface Parts {
  readonly http: HttpFetch;
  readonly target: OllamaTarget;
  readonly keepAlive: string | undefined;
  readonly offers: ReturnType<typeof createOffers>;
}

/** Requests one reply. What the model refuses is left out, in this request and in later ones. */
async function chat(request: ModelRequest, { signal, onProgress }: CallOptions, parts: Parts): Promise<ModelReply> {
  const { http, target, keepAlive, offers } = parts;
  const { Ollama } = await loadOllamaClient();
  const client = new Ollama({ host: target.url, fetch: createGuardedFetch(http, target, signal) });
  for (;;) {
    const sent = offers.current();
    try {
      const stream = await client.chat(await chatRequest(request, target.model, sent, keepAlive));
      return toReply(await collectReply(stream, request, onProgress), request, target.model);
    } catch (error) {
      if (!offers.giveUp(error, usedBy(request, sent), target.model)) throw error;
    }
  }
}

/**
 * Creates the provider for an Ollama server, through its native chat API. Throws `config-invalid` when the host is no
 * address; `inspect` does when it refuses a remote model. `inspect` and `call` throw what the provider contract says,
 * and `call` also `prompt-too-long` when it finds that the server has cut the prompt.
 */
export function createOllamaProvider(options: OllamaOptions): Provider {
  const { host, model, keepAlive, refuseRemote = false, redact = (text) => text, env = {} } = options;
  const target: OllamaTarget = { ...parseOllamaHost(host), model, redact, env };
  const http = createHttpFetch();
  const window = createWindowCheck(target, (signal) => loadedWindow(http, target, signal));
  const offers = createOffers();

  return {
    name: 'ollama',
    async inspect(signal) {
      const found = await inspectOllama(http, target, signal);
      if (refuseRemote && found.remote !== null) throw unchosenRemote(target, found.remote);
      offers.expect(found.thinking);
      return found.info;
    },
    async survey(signal) {
      try {
        return await surveyOllama(http, target, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw fromConnection(error, target);
      }
    },
    show: async (signal) => (await import('./details.ts')).describeOllama(http, target, signal),
    pull: async (options) => (await import('./pull.ts')).pullOllama(http, target, options),
    async call(request, options) {
      try {
        window.assertFits(request);
        const reply = await chat(request, options, { http, target, keepAlive, offers });
        await window.assertWhole(request, reply.tokens?.input ?? null, options);
        return reply;
      } catch (error) {
        options.signal.throwIfAborted();
        throw fromConnection(error, target);
      }
    },
  };
}
