import type { ChatRequest, ChatResponse } from 'ollama/browser';
import { createHttpFetch, type HttpFetch } from './http.ts';
import { loadOllamaClient } from './ollama-client.ts';
import { fromConnection, type OllamaTarget } from './ollama-errors.ts';
import { parseOllamaHost } from './ollama-host.ts';
import { duration, inspectOllama, loadedWindow } from './ollama-inspect.ts';
import { unchosenRemote } from './ollama-remote.ts';
import { createGuardedFetch } from './ollama-stream.ts';
import { surveyOllama } from './ollama-survey.ts';
import { createCutCheck } from './ollama-window.ts';
import type { CallOptions, ModelReply, ModelRequest, Provider } from './provider.ts';

export interface OllamaOptions {
  /** The server's address, in any form that OLLAMA_HOST may have. */
  readonly host: string;
  readonly model: string;
  /** How long the server keeps the model loaded after a call: `5m`, or seconds; `-1` is for ever. */
  readonly keepAlive?: string;
  /** Refuse a model that the server hands on to another one: nobody who may send the text away chose it. */
  readonly refuseRemote?: boolean;
  /** Takes secrets out of what the server says when something is wrong; a reply is left to whoever asked. */
  readonly redact?: (text: string) => string;
}

/** What the server accepts (`ChatRequest` in its api/types.go) and the client's types leave out. */
type FullChatRequest = ChatRequest & { stream: true; truncate: boolean; shift: boolean };

interface ChatSettings {
  readonly target: OllamaTarget;
  readonly keepAlive: string | undefined;
  readonly thinks: boolean;
}

function chatRequest(request: ModelRequest, { target, keepAlive, thinks }: ChatSettings): FullChatRequest {
  const { messages, schema, windowTokens, maxOutputTokens, temperature, seed } = request;
  return {
    model: target.model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    options: { num_ctx: windowTokens, num_predict: maxOutputTokens, temperature, ...(seed === null ? {} : { seed }) },
    // Refuse a prompt that does not fit, and stop at the end of the window, instead of dropping text to make room.
    truncate: false,
    shift: false,
    ...(schema === null ? {} : { format: schema }),
    // A format holds from the first token on, so a model that thinks first would have to think in JSON.
    ...(schema !== null && thinks ? { think: false } : {}),
    ...(keepAlive === undefined ? {} : { keep_alive: duration(keepAlive) }),
  };
}

/** Reads a reply to its end, keeping the model's thinking out of the text. */
async function collect(parts: AsyncIterable<ChatResponse>, onProgress: CallOptions['onProgress']) {
  let text = '';
  let thinking = 0;
  let last: Partial<ChatResponse> = {};
  for await (const part of parts) {
    const message: Partial<ChatResponse['message']> = part.message ?? {};
    if (typeof message.content === 'string') text += message.content;
    thinking += message.thinking?.length ?? 0;
    onProgress?.(text.length + thinking);
    last = part;
  }
  return { text, last };
}

/** The server leaves out counts that are 0, as that of an empty reply. */
function toReply(text: string, last: Partial<ChatResponse>): ModelReply {
  const { prompt_eval_count: input, eval_count: output, done_reason: reason } = last;
  return {
    text,
    toolCalls: [],
    tokens: typeof input === 'number' ? { input, output: typeof output === 'number' ? output : 0 } : null,
    finish: reason === 'length' ? 'length' : 'stop',
  };
}

async function chat(http: HttpFetch, request: ModelRequest, options: CallOptions, settings: ChatSettings) {
  const { target } = settings;
  const { Ollama } = await loadOllamaClient();
  const client = new Ollama({ host: target.url, fetch: createGuardedFetch(http, target, options.signal) });
  const { text, last } = await collect(await client.chat(chatRequest(request, settings)), options.onProgress);
  return toReply(text, last);
}

/**
 * The provider for an Ollama server, through its native chat API. Throws `config-invalid` when the host is no address;
 * `inspect` does when it refuses a remote model. `inspect` and `call` throw what the provider contract says, and `call` also `prompt-too-long` when it finds that the
 * server has cut the prompt.
 */
export function createOllamaProvider(options: OllamaOptions): Provider {
  const { host, model, keepAlive, refuseRemote = false, redact = (text) => text } = options;
  const target: OllamaTarget = { ...parseOllamaHost(host), model, redact };
  const http = createHttpFetch();
  const assertWhole = createCutCheck(target, (signal) => loadedWindow(http, target, signal));
  let thinks = false;

  return {
    name: 'ollama',
    async inspect(signal) {
      const found = await inspectOllama(http, target, signal);
      if (refuseRemote && found.remote !== null) throw unchosenRemote(target, found.remote);
      thinks = found.thinks;
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
    async call(request, options) {
      try {
        const reply = await chat(http, request, options, { target, keepAlive, thinks });
        await assertWhole(request, reply.tokens?.input ?? null, options.signal);
        return reply;
      } catch (error) {
        options.signal.throwIfAborted();
        throw fromConnection(error, target);
      }
    },
  };
}
