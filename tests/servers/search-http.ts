/** What the simulated search servers have in common: JSON in, JSON or a fault out, and what they were asked. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { type Fault, isFault } from './ollama-faults.ts';

export { faults } from './ollama-faults.ts';

/** One request as it arrived. */
export interface SearchRequest {
  readonly method: string;
  /** Decoded segments of the path. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Empty for a GET. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface JsonReply {
  readonly status: number;
  readonly json: unknown;
}

/** What goes wrong, by the number of the request from 0; null: nothing. */
export type FaultAt = (index: number, request: SearchRequest) => Fault | null;

export interface SearchHttp extends LocalServer {
  readonly requests: readonly SearchRequest[];
}

async function read(request: IncomingMessage): Promise<SearchRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? 'GET',
    segments: url.pathname.split('/').filter(Boolean).map(decodeURIComponent),
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

function sendFault(response: ServerResponse, fault: Fault): void {
  if (fault.kind === 'status') response.writeHead(fault.status, fault.headers).end(fault.body);
  else if (fault.kind === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>Hi');
  else if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else if (fault.kind === 'stallMidStream') response.writeHead(200).write(fault.text);
}

/** Starts a server on a free port of the loopback address. */
export async function startSearchHttp(
  reply: (request: SearchRequest) => JsonReply,
  faultAt: FaultAt = () => null,
): Promise<SearchHttp> {
  const requests: SearchRequest[] = [];
  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const fault = faultAt(requests.push(request) - 1, request);
    if (isFault(fault)) return sendFault(response, fault);
    const { status, json } = reply(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }
  return { ...(await startLocalServer(handle)), requests };
}
