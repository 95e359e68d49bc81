import { timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilAborted } from '../base/abort.ts';
import { RlmError } from '../errors.ts';
import { createMcpHandler, toNodeHandler, validateHostHeader, validateOriginHeader } from './protocol-http.ts';
import { createServer } from './server.ts';
import { endSoon, largestMessage, openWorld, type ServerOptions } from './world.ts';

interface HttpOptions extends Omit<ServerOptions, 'isShared'> {
  /** The port to listen on; 0: any free port. */
  readonly port: number;
  /** The secret that a client must send as `Authorization: Bearer …`. */
  readonly token: string;
  readonly onListening: (address: string) => void;
  /** Called with errors of the protocol library. Requests that `refusal` refuses are not reported. */
  readonly onError: (error: Error) => void;
}

const host = '127.0.0.1';
const localNames = ['127.0.0.1', 'localhost', '[::1]'];

function isToken(given: string | undefined, token: string): boolean {
  const sent = Buffer.from(/^Bearer (.+)$/i.exec(given ?? '')?.[1] ?? '');
  const wanted = Buffer.from(token);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}

type Refusal = readonly [status: number, message: string];

/** Checks a request before its body is read. Returns why the request is refused; null if it is accepted. */
function refusal({ url, headers }: IncomingMessage, token: string | null): Refusal | null {
  if (!validateHostHeader(headers.host, localNames).ok) return [403, 'the Host header names another machine'];
  if (!validateOriginHeader(headers.origin, localNames).ok) return [403, 'the request comes from another site'];
  if (token !== null && !isToken(headers.authorization, token)) return [401, 'the bearer token is missing or wrong'];
  const base = 'http://localhost';
  const isEndpoint = URL.canParse(url ?? '/', base) && new URL(url ?? '/', base).pathname === '/mcp';
  return isEndpoint ? null : [404, 'the endpoint is /mcp'];
}

function refuse(response: ServerResponse, [status, message]: Refusal): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...challenge });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}

/**
 * Creates the endpoint `/mcp`.
 * @param token null when clients need no token, as in the protocol's conformance tests.
 */
export function createEndpoint(
  create: () => ReturnType<typeof createServer>,
  token: string | null,
  onError: (error: Error) => void,
) {
  const limit = { maxRequestBodySize: largestMessage, onerror: onError };
  const handler = createMcpHandler(create, limit);
  const handle = toNodeHandler(handler, limit);
  return {
    answer(request: IncomingMessage, response: ServerResponse): void {
      const refused = refusal(request, token);
      if (refused !== null) refuse(response, refused);
      else handle(request as Parameters<typeof handle>[0], response).catch(onError);
    },
    close: () => handler.close(),
  };
}

/**
 * Serves clients on this machine over HTTP.
 * @throws the signal's reason; the errors of `openWorld`; RlmError `usage` if the port is not available.
 */
export async function serveOverHttp(options: HttpOptions, signal: AbortSignal): Promise<void> {
  const { port, token, onListening, onError } = options;
  const world = await openWorld({ ...options, isShared: true });
  const endpoint = createEndpoint(() => createServer(world), token, onError);
  const server = createHttpServer(endpoint.answer);
  try {
    await new Promise<void>((resolve, reject) => {
      const hint = 'Give another port; --http 0 takes any free port.';
      server.once('error', ({ code }: NodeJS.ErrnoException) =>
        reject(new RlmError('usage', `port ${port} is not available (${code})`, { hint })),
      );
      server.listen(port, host, resolve);
    });
    onListening(`http://${host}:${(server.address() as AddressInfo).port}/mcp`);
    await untilAborted(new Promise(() => {}), signal);
  } finally {
    endSoon(signal);
    server.close();
    server.closeAllConnections();
    await endpoint.close();
    await world.close();
  }
}
