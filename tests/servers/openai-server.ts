/**
 * A local server that answers requests for vectors as OpenAI documents it (API reference, "Create embeddings"), errors in
 * the shape of its errors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from './local-server.ts';
import { type Fault, isFault } from './ollama-faults.ts';

/** One request as it arrived. */
interface OpenAiEmbedCall {
  readonly path: string;
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | null;
}

export interface OpenAiServerOptions {
  readonly model: string;
  /** The key that is wanted; null: none. */
  readonly key?: string | null;
  /** The longest text, in bytes. */
  readonly longest?: number;
  /** A vector for each text, a fault, or any other object, which is sent as it is. */
  readonly embed: (call: OpenAiEmbedCall, index: number) => readonly (readonly unknown[])[] | Fault | object;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const refusal = (message: string, code: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});

async function readBody(request: IncomingMessage): Promise<{ model: string; input: string | string[] }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

/** Starts a server on a free port of the loopback address. */
export async function startOpenAiServer({ model, key = null, longest = 30_000, embed }: OpenAiServerOptions) {
  const requests: OpenAiEmbedCall[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const body = await readBody(request);
    const input = [body.input].flat();
    const call = { path, model: body.model, input, authorization: headers.authorization ?? null };
    const index = requests.push(call) - 1;
    if (key !== null && call.authorization !== `Bearer ${key}`) {
      return sendJson(response, 401, refusal('Incorrect API key provided', 'invalid_api_key'));
    }
    if (path !== '/v1/embeddings') return sendJson(response, 404, refusal(`Invalid URL (POST ${path})`, 'not_found'));
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
    if (isFault(made)) {
      if (made.kind === 'status') response.writeHead(made.status, made.headers).end(made.body);
      if (made.kind === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      if (made.kind === 'reset') response.socket?.resetAndDestroy();
      return;
    }
    if (!Array.isArray(made)) return sendJson(response, 200, made);
    // The order is told by `index`, so a client may not rely on the place.
    const data = made.map((embedding, place) => ({ object: 'embedding', index: place, embedding })).reverse();
    const tokens = input.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
    sendJson(response, 200, { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  }

  const server = await startLocalServer(handle);
  return {
    ...server,
    url: `${server.url}/v1`,
    requests: requests as readonly OpenAiEmbedCall[],
  };
}
