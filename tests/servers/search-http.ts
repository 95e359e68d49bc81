/** The common parts of the simulated search servers: they read JSON, send JSON or faults, and record the requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';
import { readBody, sendFault } from './http-wire.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

export { faults } from './faults.ts';

/** A received request. */
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

/** Returns the fault for the request with this number, from 0; null: none. */
export type FaultAt = (index: number, request: SearchRequest) => Fault | null;

export interface SearchHttp extends LocalServer {
  readonly requests: readonly SearchRequest[];
}

async function read(request: IncomingMessage): Promise<SearchRequest> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const text = await readBody(request);
  return {
    method: request.method ?? 'GET',
    segments: url.pathname.split('/').filter(Boolean).map(decodeURIComponent),
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? {} : JSON.parse(text),
  };
}

function send(response: ServerResponse, fault: Fault): void {
  if (fault.kind === 'stallMidStream') response.writeHead(200).write(fault.text);
  else sendFault(response, fault);
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
    if (isFault(fault)) return send(response, fault);
    const { status, json } = reply(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }
  return { ...(await startLocalServer(handle)), requests };
}
