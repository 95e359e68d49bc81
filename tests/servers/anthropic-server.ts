/**
 * A local server for tests that answers like version 2026-10-21 of Anthropic's API. Paths, fields and error types are
 * those of its reference and of the types in `@anthropic-ai/sdk`. It refuses the same requests as the real server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSaid, type Said, said, sendMessage, type WireBlock } from './anthropic-wire.ts';
import { type Fault, isFault } from './faults.ts';
import { readBody, sendFault } from './http-wire.ts';
import { startLocalServer } from './local-server.ts';

/** A text, an object that becomes JSON, a complete message, or a fault. */
export type AnthropicReply = string | object | Said | Fault;

type Json = Readonly<Record<string, unknown>>;

/** A received request to /v1/messages. */
export interface MessageCall {
  readonly model: string;
  /** The schema that the reply must follow, whether it is required by a format or by a tool; null: none. */
  readonly format: object | null;
  /** The whole request. */
  readonly body: Json;
  readonly headers: IncomingMessage['headers'];
}

interface ServedModel {
  readonly id: string;
  /** In tokens; null: not reported. */
  readonly window?: number | null;
  readonly maxOutput?: number | null;
  /** The supported types of thinking; null for a model that does not think. */
  readonly thinking?: readonly ('adaptive' | 'between_tools' | 'disabled' | 'enabled')[] | null;
  readonly structuredOutput?: boolean;
  readonly lifecycle?: 'active' | 'deprecated' | 'retired';
  readonly retiresAt?: string;
  /** Whether the server does not report the model's abilities. */
  readonly isMute?: boolean;
}

export interface AnthropicServerOptions {
  readonly models?: readonly ServedModel[];
  /** The required key; null: none. */
  readonly key?: string | null;
  readonly reply: (call: MessageCall, index: number) => AnthropicReply | Promise<AnthropicReply>;
  /** Answers every path but /v1/messages with this. */
  readonly elsewhere?: (path: string) => Fault | null;
  /** Refuses a request for a message with the returned text, unless it is null. */
  readonly refuses?: (body: Json) => string | null;
  /** Characters per event; 16 by default. */
  readonly pieceLength?: number;
  /** Bytes per write; all at once by default. */
  readonly bytesPerWrite?: number;
  /** Ends the response to a request after this many bytes; null: at its end. */
  readonly endsAfter?: (index: number) => number | null;
}

export const model = 'claude-sonnet-5-5';

const supported = (is: boolean) => ({ supported: is });

const errorBody = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_01',
});

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_01' }).end(JSON.stringify(value));
}

const refuse = (response: ServerResponse, message: string) =>
  sendJson(response, 400, errorBody('invalid_request_error', message));

function describe(served: ServedModel): object {
  const { id, window = 1_000_000, maxOutput = 128_000, thinking = ['adaptive', 'between_tools'] } = served;
  const { lifecycle = 'active', retiresAt = null, structuredOutput = true } = served;
  const can = (type: 'adaptive' | 'between_tools' | 'disabled' | 'enabled') =>
    supported(thinking?.includes(type) ?? type === 'disabled');
  const types = {
    adaptive: can('adaptive'),
    between_tools: can('between_tools'),
    disabled: can('disabled'),
    enabled: can('enabled'),
  };
  const capabilities = {
    effort: { ...supported(thinking !== null), low: supported(thinking !== null) },
    structured_outputs: supported(structuredOutput),
    thinking: { ...supported(thinking !== null), types },
  };
  const about = { type: 'model', id, display_name: id, created_at: '2026-09-28T00:00:00Z' };
  if (served.isMute) return about;
  const limits = { max_input_tokens: window, max_tokens: maxOutput };
  return { ...about, ...limits, lifecycle, retires_at: retiresAt, capabilities };
}

/** Returns the fault of a schema. Objects must be closed, and ranges are not supported. */
function schemaFault(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const node = schema as Json;
  if (node['type'] === 'object' && node['additionalProperties'] !== false)
    return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false";
  const range = ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'oneOf'].find(
    (keyword) => keyword in node,
  );
  if (range !== undefined && typeof node[range] !== 'object')
    return `output_config.format.schema: property '${range}' is not supported`;
  return (
    Object.values(node)
      .map(schemaFault)
      .find((fault) => fault !== null) ?? null
  );
}

interface Turn {
  readonly role: string;
  readonly content: readonly Json[];
}

function turnFault({ role, content }: Turn, index: number, before: Turn | undefined): string | null {
  const place = `messages.${index}`;
  if (role !== 'user' && role !== 'assistant') return `${place}: role '${role}' is not allowed`;
  if (content.length === 0) return `${place}: content must not be empty`;
  if (content.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
    return `${place}: text content blocks must contain non-whitespace text`;
  if (content.some(({ type, input }) => type === 'tool_use' && (typeof input !== 'object' || Array.isArray(input))))
    return `${place}.tool_use.input: Input should be an object`;
  const results = content.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id']);
  const calls = (before?.content ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  if (JSON.stringify(results) !== JSON.stringify(calls)) return `${place}: unexpected or missing tool_result blocks`;
  return null;
}

function conversationFault(body: Json): string | null {
  const turns = body['messages'] as readonly Turn[];
  if (turns.length === 0) return 'messages: at least one message is required';
  if (turns.at(-1)!.role === 'assistant') return 'This model does not support assistant message prefill.';
  const marks = JSON.stringify(body).split('"cache_control"').length - 1;
  if (marks > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  const system = (body['system'] ?? []) as readonly Json[];
  if (system.some(({ text }) => String(text).trim() === '')) return 'system: text content blocks must be non-empty';
  return turns.map((turn, index) => turnFault(turn, index, turns[index - 1])).find((fault) => fault !== null) ?? null;
}

/** Returns the real server's error for a request; null if the model accepts the request. */
function requestFault(body: Json, served: ServedModel): string | null {
  const sampling = ['temperature', 'top_p', 'top_k', 'seed'].find((name) => name in body);
  if (sampling !== undefined) return `${sampling}: Extra inputs are not permitted`;
  const { thinking = ['adaptive', 'between_tools'], structuredOutput = true, maxOutput = 128_000 } = served;
  const type = (body['thinking'] as Json | undefined)?.['type'];
  if (type !== undefined && !(thinking ?? ['disabled']).includes(type as 'disabled'))
    return `"thinking.type.${type}" is not supported for this model.`;
  const format = (body['output_config'] as Json | undefined)?.['format'] as Json | undefined;
  if (format && !structuredOutput) return "'output_config.format' is not supported by this model";
  if (Number(body['max_tokens']) > (maxOutput ?? Infinity)) return `max_tokens: ${body['max_tokens']} > ${maxOutput}`;
  const bytes = Buffer.byteLength(JSON.stringify([body['system'], body['messages']]));
  const tokens = Math.ceil(bytes / 4);
  const window = served.window ?? 1_000_000;
  if (tokens > window) return `prompt is too long: ${tokens} tokens > ${window} maximum`;
  return schemaFault(format?.['schema']) ?? conversationFault(body);
}

const formatOf = (body: Json): object | null => {
  const format = (body['output_config'] as Json | undefined)?.['format'] as Json | undefined;
  const [tool] = (body['tools'] ?? []) as readonly Json[];
  const forced = body['tool_choice'] === undefined ? undefined : tool?.['input_schema'];
  return (format?.['schema'] ?? forced ?? null) as object | null;
};

/** Converts a reply to a message; for a forced tool, to its arguments. */
function messageOf(reply: string | object, body: Json): Said {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const forced = body['tool_choice'] as Json | undefined;
  const call: WireBlock = { type: 'tool_use', id: 'toolu_01', name: String(forced?.['name']), json: text };
  return said(forced === undefined ? (text === '' ? [] : [{ type: 'text', text }]) : [call]);
}

/** Starts a server on a free port of the loopback address. */
export async function startAnthropicServer(options: AnthropicServerOptions) {
  const { reply, key = null, models = [{ id: model }] } = options;
  const requests: MessageCall[] = [];
  const paths: string[] = [];

  function isLoggedIn({ headers }: IncomingMessage): boolean {
    return key === null || headers.authorization === `Bearer ${key}` || headers['x-api-key'] === key;
  }

  function get(path: string, response: ServerResponse): void {
    const { pathname } = new URL(path, 'http://local');
    const named = decodeURIComponent(pathname.replace('/v1/models/', ''));
    const found = models.find(({ id }) => id === named);
    const data = models.map(describe);
    if (pathname === '/v1/models') sendJson(response, 200, { data, has_more: false, first_id: null, last_id: null });
    else if (found !== undefined) sendJson(response, 200, describe(found));
    else sendJson(response, 404, errorBody('not_found_error', pathname === path ? `model: ${named}` : 'Not Found'));
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await readBody(request)) as Json;
    const call: MessageCall = { model: String(body['model']), format: formatOf(body), body, headers: request.headers };
    const index = requests.push(call) - 1;
    const served = models.find(({ id }) => id === call.model);
    if (served === undefined) {
      return sendJson(response, 404, errorBody('not_found_error', `model: ${call.model}`));
    }
    const refused = requestFault(body, served) ?? options.refuses?.(body) ?? null;
    if (refused !== null) return refuse(response, refused);
    const made = await reply(call, index);
    if (isFault(made) && sendFault(response, made)) return;
    const { pieceLength = 16, bytesPerWrite = Number.POSITIVE_INFINITY } = options;
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(body['messages'])) / 4);
    const message = isFault(made) || isSaid(made) ? made : messageOf(made, body);
    const endsAfter = options.endsAfter?.(index) ?? null;
    sendMessage(response, message, { model: call.model, tokens, pieceLength, bytesPerWrite, endsAfter });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    paths.push(path);
    const special = path === '/v1/messages' ? null : (options.elsewhere?.(path) ?? null);
    if (special !== null) {
      sendFault(response, special);
      return;
    }
    if (!isLoggedIn(request)) return sendJson(response, 401, errorBody('authentication_error', 'invalid x-api-key'));
    if (request.headers['anthropic-version'] !== '2026-10-21') {
      return refuse(response, 'anthropic-version: header is required');
    }
    if (request.method === 'GET') return get(path, response);
    if (path === '/v1/messages') return post(request, response);
    sendJson(response, 404, errorBody('not_found_error', 'Not Found'));
  }

  return {
    ...(await startLocalServer(handle)),
    /** All requests for messages so far, in order of arrival. */
    requests: requests as readonly MessageCall[],
    /** Paths of all requests so far. */
    paths: paths as readonly string[],
  };
}
