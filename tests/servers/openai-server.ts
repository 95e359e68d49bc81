/**
 * A local server that answers like OpenAI's API (API reference: "Models", "Create chat completion", "Create
 * embeddings"), with errors of the same shape. The options simulate differences of other servers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, faults, isFault } from './faults.ts';
import { readBody, sendFault, writeInPieces } from './http-wire.ts';
import { startLocalServer } from './local-server.ts';
import type { ChatCall, ServerReply } from './ollama-server.ts';
import { streamReply } from './openai-wire.ts';

/** A received request for vectors. */
interface OpenAiEmbedCall {
  readonly path: string;
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | null;
}

/** A listed model: an id, or the complete entry. */
type ListedModel = string | { readonly id: string; readonly [key: string]: unknown };

/** A body that is sent unchanged as the answer to a chat request. */
interface RawBody {
  readonly raw: string;
  /** `text/event-stream` by default. */
  readonly type?: string;
}

export interface OpenAiServerOptions {
  /** The models. The first one also makes vectors. */
  readonly model?: string;
  readonly models?: readonly ListedModel[];
  /** The required key; null: none. */
  readonly key?: string | null;
  /** The longest text for which vectors are made, in bytes. */
  readonly longest?: number;
  /** Returns a vector for each text, a fault, or another object, which is sent unchanged. */
  readonly embed?: (call: OpenAiEmbedCall, index: number) => readonly (readonly unknown[])[] | Fault | object;
  /** Returns the reply to a chat request. */
  readonly chat?: (call: ChatCall, index: number) => ServerReply | RawBody | Promise<ServerReply | RawBody>;
  /** Answers paths other than those for chat and vectors; null: the usual answer. */
  readonly elsewhere?: (path: string) => Fault | object | null;
  /** Names of parameters to refuse with 400; `json_schema` and `json_object` are types of `response_format`. */
  readonly refuses?: readonly string[];
  /** The reported tokens of a prompt; null: not reported. Default: one for every 4 bytes. */
  readonly promptTokens?: number | null;
  /** The reported tokens of a reply. Default: one for every 4 characters. */
  readonly replyTokens?: number;
  /** Characters per event; 16 by default. */
  readonly pieceLength?: number;
  /** Bytes per write; default: all at once. */
  readonly bytesPerWrite?: number;
}

type Json = Readonly<Record<string, unknown>>;

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const refusal = (message: string, code: string, param: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

/** Returns the first refused parameter of a request. */
function refusedIn(body: Json, refuses: readonly string[]): string | undefined {
  const { type } = (body['response_format'] ?? {}) as Json;
  return refuses.find((name) => name in body || name === type);
}

/** @param texts messages. A message with a picture is a list of parts, and its picture counts as 0 tokens. */
const bytesOf = (texts: readonly (string | null | readonly { readonly text?: string }[])[]) =>
  texts
    .map((content) => (typeof content === 'object' ? (content ?? []).map(({ text = '' }) => text).join() : content))
    .reduce<number>((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

/** Starts a server on a free port of the loopback address. */
export async function startOpenAiServer(options: OpenAiServerOptions) {
  const {
    model = 'local-model',
    key = null,
    longest = 30_000,
    refuses = [],
    embed = () => faults.status(404),
  } = options;
  const models = (options.models ?? [model]).map((each) => (typeof each === 'string' ? { id: each } : each));
  const requests: OpenAiEmbedCall[] = [];
  const chats: ChatCall[] = [];
  const paths: string[] = [];

  async function vectors(body: Json, path: string, authorization: string | null, response: ServerResponse) {
    const input = [body['input'] ?? []].flat() as string[];
    const call = { path, model: String(body['model']), input, authorization };
    const index = requests.push(call) - 1;
    if (call.model !== model) {
      return sendJson(response, 404, refusal(`The model \`${call.model}\` does not exist`, 'model_not_found'));
    }
    if (input.some((text) => text === '')) {
      return sendJson(response, 400, refusal('input cannot be an empty string', 'invalid_input'));
    }
    if (input.some((text) => Buffer.byteLength(text) > longest)) {
      const message = `This model's maximum context length is ${longest / 4} tokens, however you requested more`;
      return sendJson(response, 400, refusal(message, 'context_length_exceeded'));
    }
    const made = embed(call, index);
    if (isFault(made)) return void sendFault(response, made);
    if (!Array.isArray(made)) return sendJson(response, 200, made);
    // `index` gives the order, so a client must not rely on the position.
    const data = made.map((embedding, place) => ({ object: 'embedding', index: place, embedding })).reverse();
    const tokens = input.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    sendJson(response, 200, { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  }

  function readChat(body: Json, headers: IncomingMessage['headers']): ChatCall {
    const { json_schema: schema } = (body['response_format'] ?? {}) as { json_schema?: { schema: object } };
    const messages = body['messages'] as ChatCall['messages'];
    const about = { model: String(body['model']), messages, format: schema?.schema ?? null, body, headers };
    return { ...about, options: body, cut: false, arrivedAt: performance.now() };
  }

  async function chat(body: Json, headers: IncomingMessage['headers'], response: ServerResponse): Promise<void> {
    const call = readChat(body, headers);
    const index = chats.push(call) - 1;
    if (!models.some(({ id }) => id === call.model)) {
      return sendJson(response, 404, refusal(`The model \`${call.model}\` does not exist`, 'model_not_found'));
    }
    const refused = refusedIn(body, refuses);
    if (refused !== undefined) {
      const message = `Unsupported parameter: '${refused}' is not supported with this model.`;
      return sendJson(response, 400, refusal(message, 'unsupported_parameter', refused));
    }
    const made = (await options.chat?.(call, index)) ?? '';
    if (isFault(made) && sendFault(response, made)) return;
    const { pieceLength = 16, bytesPerWrite = Number.POSITIVE_INFINITY, promptTokens } = options;
    if (typeof made === 'object' && 'raw' in made) {
      const { raw, type = 'text/event-stream' } = made as RawBody;
      writeInPieces(response.writeHead(200, { 'content-type': type }), raw, bytesPerWrite);
      response.end();
      return;
    }
    const counted = Math.ceil(bytesOf(call.messages.map(({ content }) => content)) / 4);
    const isAsked = (body['stream_options'] as Json | undefined)?.['include_usage'] === true;
    const tokens = isAsked ? (promptTokens === undefined ? counted : promptTokens) : null;
    const told = { tokens, ...(options.replyTokens !== undefined && { replyTokens: options.replyTokens }) };
    await streamReply(response, made, { model: call.model, ...told, pieceLength, bytesPerWrite });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers, method } = request;
    paths.push(path);
    const text = await readBody(request);
    const body: Json = text === '' ? {} : JSON.parse(text);
    const authorization = headers.authorization ?? null;
    const special = /^\/v1\/(chat|embed)/.test(path) ? null : (options.elsewhere?.(path) ?? null);
    if (special !== null)
      return isFault(special) ? void sendFault(response, special) : sendJson(response, 200, special);
    if (key !== null && authorization !== `Bearer ${key}`) {
      return sendJson(response, 401, refusal('Incorrect API key provided', 'invalid_api_key'));
    }
    if (path === '/v1/models') return sendJson(response, 200, { object: 'list', data: models });
    if (path === '/v1/embeddings') return vectors(body, path, authorization, response);
    if (path === '/v1/chat/completions') return chat(body, headers, response);
    sendJson(response, 404, refusal(`Invalid URL (${method} ${path})`, 'not_found'));
  }

  const server = await startLocalServer(handle);
  return {
    ...server,
    url: `${server.url}/v1`,
    requests: requests as readonly OpenAiEmbedCall[],
    chats: chats as readonly ChatCall[],
    paths: paths as readonly string[],
  };
}
