/**
 * A local server that answers like Ollama, for tests and benchmarks. Statuses, fields and error texts are those of the
 * real server 0.13.5: of its answers, and of server/routes.go and api/types.go in ollama/ollama.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';
import { readBody, sendFault } from './http-wire.ts';
import { startLocalServer } from './local-server.ts';
import { describeModel, isName, listModel, refusalOf, type ServerModel, withLatest } from './ollama-models.ts';
import { type PullLine, sendPull } from './ollama-pull.ts';
import { sendChat } from './ollama-wire.ts';

export { faults } from './faults.ts';
export { promptOf, replyByFormat } from './reply-by-format.ts';

/** A text, an object that becomes JSON, or a fault. */
export type ServerReply = string | object | Fault;

/** A received request to /api/chat. */
export interface ChatCall {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string; readonly [more: string]: unknown }[];
  readonly format: object | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** The whole request. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
  /** Whether the prompt was cut to the window silently. */
  readonly cut: boolean;
  /** `performance.now()` at arrival. */
  readonly arrivedAt: number;
}

/** A received request to /api/embed. */
interface EmbedCall {
  readonly model: string;
  readonly input: readonly string[];
  /** The whole request. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A vector for each text, or a fault. */
export type EmbedReply = readonly (readonly unknown[])[] | Fault;

export interface OllamaServerOptions {
  /** `qwen2.5-coder:14b` with 32768 tokens by default. */
  readonly models?: readonly (string | ServerModel)[];
  readonly reply: (request: ChatCall, index: number) => ServerReply | Promise<ServerReply>;
  /** Returns the vectors of the texts of a request. Without it, requests for vectors fail. `index` counts them. */
  readonly embed?: (call: EmbedCall, index: number) => EmbedReply | Promise<EmbedReply>;
  /** Returns the stream of /api/pull for a model. Without it, no registry is reachable. `index` counts the requests. */
  readonly pull?: (name: string, index: number) => readonly PullLine[] | Fault;
  /** The time from a chat request's arrival to the beginning of the answer, in ms. */
  readonly latencyMs?: number;
  /** Whether it cuts prompts although the request forbids it, like servers before 0.12.6. */
  readonly ignoreTruncate?: boolean;
  /** Counts the tokens of a message; default: one for every 4 bytes. */
  readonly countTokens?: (text: string) => number;
  /** The window of loaded models, regardless of `num_ctx`. */
  readonly loadedContext?: number;
  /** The number of chat requests that are processed concurrently. Others wait without headers. Default: all. */
  readonly slots?: number;
  /** Answers every path but /api/chat with this. */
  readonly elsewhere?: (path: string) => Fault | null;
  /** Characters per streamed object; 16 by default. */
  readonly pieceLength?: number;
  /** Bytes per write; default: whole objects. 1 splits every character of several bytes. */
  readonly bytesPerWrite?: number;
}

export interface OllamaServer {
  readonly url: string;
  /** All chat requests so far, in order of arrival. */
  readonly requests: readonly ChatCall[];
  /** All requests for vectors so far, in order of arrival. */
  readonly embeds: readonly EmbedCall[];
  /** Paths of all requests so far. */
  readonly paths: readonly string[];
  /** The highest number of concurrent chat requests. */
  readonly maxInFlight: number;
  /** The number of open connections. */
  openSockets(): number;
  close(): Promise<void>;
}

const defaultContext = 4096;
const bytesPerToken = 4;

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
}

const unreachableRegistry = (name: string) =>
  `pull model manifest: Get "https://registry.ollama.ai/v2/library/${name}/manifests/latest": dial tcp: lookup registry.ollama.ai: no such host`;

const byBytes = (text: string): number => Buffer.byteLength(text) / bytesPerToken;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Starts a server on a free port of the loopback address. */
export async function startOllamaServer(options: OllamaServerOptions): Promise<OllamaServer> {
  const { reply, latencyMs = 0, ignoreTruncate = false, loadedContext, countTokens = byBytes } = options;
  const models = new Map(
    (options.models ?? ['qwen2.5-coder:14b']).map((model): [string, ServerModel] => {
      const spec = typeof model === 'string' ? { name: model } : model;
      return [withLatest(spec.name), spec];
    }),
  );
  const requests: ChatCall[] = [];
  const embeds: EmbedCall[] = [];
  const paths: string[] = [];
  const loaded = new Map<string, number>();
  let inFlight = 0;
  let pulls = 0;
  let maxInFlight = 0;

  let busy = 0;
  const queue: (() => void)[] = [];
  /** Waits for a slot, and holds it until the response has ended. */
  async function inSlot(response: ServerResponse, work: () => Promise<void>): Promise<void> {
    if (busy >= (options.slots ?? Number.POSITIVE_INFINITY)) await new Promise<void>((resolve) => queue.push(resolve));
    else busy++;
    const free = () => {
      const next = queue.shift();
      if (next === undefined) busy--;
      else next();
    };
    if (response.destroyed) return free();
    response.once('close', free);
    await work();
  }

  const modelNamed = (name: unknown) => models.get(withLatest(String(name)));

  function get(path: string, response: ServerResponse): void {
    const listed = [...models.values()].map(listModel);
    const running = [...loaded].map(([name, length]) => ({ name, model: name, size: 1, context_length: length }));
    if (path === '/') response.end('Ollama is running');
    else if (path === '/api/version') sendJson(response, 200, { version: '0.13.5' });
    else if (path === '/api/tags') sendJson(response, 200, { models: listed });
    else if (path === '/api/ps') sendJson(response, 200, { models: running });
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
  }

  function show(body: Record<string, unknown>, response: ServerResponse): void {
    const name = body['model'] ?? body['name'];
    const model = modelNamed(name);
    if (name === undefined || name === '') sendJson(response, 400, { error: 'model is required' });
    else if (!isName(String(name))) sendJson(response, 500, { error: 'invalid model path' });
    else if (model === undefined) sendJson(response, 404, { error: `model '${name}' not found` });
    else sendJson(response, 200, describeModel(model));
  }

  /** Returns the tokens of the prompt and of the window. Loads the model, like every request. */
  function load(name: string, call: Pick<ChatCall, 'messages' | 'options'>, model: ServerModel) {
    const asked = Number(call.options['num_ctx'] ?? defaultContext);
    const window = loadedContext ?? Math.min(asked, model.contextLength ?? asked);
    // The real server reports the requested window, even if it is larger than the model's.
    loaded.set(withLatest(name), loadedContext ?? asked);
    const tokens = call.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    return { tokens: Math.max(1, Math.ceil(tokens)), window };
  }

  async function answer(call: ChatCall, index: number, tokens: number, response: ServerResponse): Promise<void> {
    const [made] = await Promise.all([
      Promise.resolve()
        .then(() => reply(call, index))
        .catch((error: Error): Fault | object => ({ failed: error.message })),
      latencyMs > 0 ? sleep(latencyMs - (performance.now() - call.arrivedAt)) : undefined,
    ]);
    if (typeof made === 'object' && 'failed' in made) return sendJson(response, 500, { error: made.failed });
    if (isFault(made) && sendFault(response, made)) return;
    const { pieceLength = 16, bytesPerWrite = Number.POSITIVE_INFINITY } = options;
    await sendChat(response, made, {
      model: call.model,
      tokens,
      pieceLength,
      bytesPerWrite,
      logprobs: call.body['logprobs'] === true,
    });
  }

  async function chat(body: Record<string, unknown>, request: IncomingMessage, response: ServerResponse, at: number) {
    const name = String(body['model'] ?? '');
    const model = modelNamed(name);
    if (model === undefined) return sendJson(response, 404, { error: `model '${name}' not found` });
    const error = refusalOf(model, body);
    if (error !== null) return sendJson(response, 400, { error });
    const messages = (body['messages'] ?? []) as ChatCall['messages'];
    const settings = (body['options'] ?? {}) as ChatCall['options'];
    const { tokens, window } = load(name, { messages, options: settings }, model);
    const fits = tokens <= window;
    const refused = !fits && body['truncate'] === false && !ignoreTruncate;
    const format = (body['format'] ?? null) as object | null;
    const { headers } = request;
    const cut = !fits && !refused;
    const call: ChatCall = { model: name, messages, format, options: settings, body, headers, cut, arrivedAt: at };
    const index = requests.push(call) - 1;
    if (refused) return sendJson(response, 400, { error: 'the input length exceeds the context length' });
    await inSlot(response, () => answer(call, index, Math.min(tokens, window), response));
  }

  async function embed(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const name = String(body['model'] ?? '');
    const model = modelNamed(name);
    if (model === undefined) return sendJson(response, 404, { error: `model '${name}' not found` });
    const input = [body['input'] ?? []].flat() as string[];
    const call: EmbedCall = { model: name, input, body };
    const index = embeds.push(call) - 1;
    const tokens = input.map((text) => Math.ceil(Buffer.byteLength(text) / bytesPerToken));
    if (body['truncate'] === false && tokens.some((count) => count > (model.contextLength ?? defaultContext))) {
      return sendJson(response, 400, { error: 'the input length exceeds the context length' });
    }
    const made = (await options.embed?.(call, index)) ?? [];
    if (isFault(made)) return void sendFault(response, made);
    const durations = { total_duration: 14_143_917, load_duration: 1_019_500 };
    const prompt_eval_count = tokens.reduce((sum, count) => sum + count, 0);
    sendJson(response, 200, { model: name, embeddings: made, ...durations, prompt_eval_count });
  }

  async function pull(name: string, response: ServerResponse): Promise<void> {
    if (!isName(name)) return sendJson(response, 400, { error: 'invalid model name' });
    const made = options.pull?.(name, pulls++) ?? [{ error: unreachableRegistry(name) }];
    if (isFault(made)) return void sendFault(response, made);
    if (await sendPull(response, made)) models.set(withLatest(name), { name });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = performance.now();
    const path = request.url ?? '/';
    paths.push(path);
    const special = path === '/api/chat' ? null : (options.elsewhere?.(path) ?? null);
    if (special !== null) return void sendFault(response, special);
    if (request.method !== 'POST') return get(path, response);
    const text = await readBody(request);
    let body: Record<string, unknown>;
    try {
      body = JSON.parse(text);
    } catch (error) {
      return sendJson(response, 400, { error: text === '' ? 'missing request body' : String(error) });
    }
    if (path === '/api/show') return show(body, response);
    if (path === '/api/embed') return embed(body, response);
    if (path === '/api/pull') return pull(String(body['model']), response);
    if (path !== '/api/chat') return get(path, response);
    inFlight++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once('close', () => inFlight--);
    await chat(body, request, response, arrivedAt);
  }

  return {
    ...(await startLocalServer(handle)),
    requests,
    embeds,
    paths,
    get maxInFlight() {
      return maxInFlight;
    },
  };
}
