/**
 * A `fetch` over node:http for the clients of model servers. The built-in `fetch` takes 20–40 ms to load and gives up
 * when no headers arrive for five minutes. A long prompt on a slow machine can take longer. This module has no timeout:
 * the caller's signal ends a request. The module must not use the globals fetch, Headers, Request and Response, because
 * their first use loads the built-in `fetch`.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { onAbort } from '../../base/abort.ts';
import { tooManyFiles } from '../../errors.ts';

interface HttpInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting it destroys the connection, also while the body is read. */
  readonly signal?: AbortSignal;
}

/**
 * Sends one request. Redirects are never followed. Rejects with the reason of an aborted signal, or with RlmError
 * `too-many-files`. Any other error has a `code`: Node's own (`ECONNREFUSED`, `ECONNRESET`, `HPE_…`),
 * `ERR_INVALID_URL`, or `EREDIRECT` for a redirect to another host. The user and password in a URL are sent as an
 * authorization header and never appear in error messages.
 */
export type HttpFetch = (url: string | URL, init?: HttpInit) => Promise<HttpResponse>;

interface Transport {
  readonly request: typeof httpRequest;
  readonly agent: HttpAgent;
}

const maxTextBytes = 64 * 1024 * 1024;

const restMs = 1000;

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readTarget(url: string | URL): { target: URL; authorization: Record<string, string> } {
  if (!URL.canParse(String(url))) throw withCode('ERR_INVALID_URL', 'not a valid URL');
  const target = new URL(url);
  if (target.username === '' && target.password === '') return { target, authorization: {} };
  const login = `${decodePart(target.username)}:${decodePart(target.password)}`;
  target.username = '';
  target.password = '';
  return { target, authorization: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } };
}

async function openTransport(protocol: string): Promise<Transport> {
  if (protocol === 'http:') return { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) };
  if (protocol !== 'https:') throw withCode('ERR_INVALID_URL', `not an http or https URL: ${protocol}`);
  const { request, Agent } = await import('node:https');
  return { request, agent: new Agent({ keepAlive: true }) };
}

function send(request: ClientRequest, body: string | undefined, signal: AbortSignal | undefined) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    if (signal !== undefined) {
      const stop = onAbort(signal, () => request.destroy());
      request.once('close', stop);
    }
    request.once('response', resolve);
    request.on('error', (error) => reject(signal?.aborted ? signal.reason : (tooManyFiles(error) ?? error)));
    request.end(body);
  });
}

/** Refuses a redirect to another host, which must not receive the prompts. */
function refuseForeignRedirect(message: IncomingMessage, target: URL): void {
  const { location } = message.headers;
  if (location === undefined || Math.trunc((message.statusCode ?? 0) / 100) !== 3) return;
  const host = URL.canParse(location, target.href) ? new URL(location, target).host : 'an invalid address';
  if (host === target.host) return;
  message.destroy();
  throw withCode('EREDIRECT', `${target.host} redirects to another host (${host}); the redirect is not followed`);
}

/** Keeps the connection for reuse if the rest of the body arrives within `restMs`, else closes it. */
function release(message: IncomingMessage): void {
  if (message.readableEnded || message.destroyed) return;
  const timer = setTimeout(() => message.destroy(), restMs).unref();
  message.once('close', () => clearTimeout(timer));
  message.resume();
}

async function* readChunks(message: IncomingMessage, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) yield chunk;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    release(message);
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxTextBytes) throw withCode('ETOOBIG', `the response is longer than ${maxTextBytes} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The parts of fetch's Response that clients use. The body is streamed and can be read once. */
export type HttpResponse = Readonly<ReturnType<typeof toResponse>>;

function toResponse(message: IncomingMessage, signal: AbortSignal | undefined) {
  const status = message.statusCode ?? 0;
  const chunks = () => readChunks(message, signal);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string): string | null => message.headers[name.toLowerCase()]?.toString() ?? null },
    chunks,
    /** Returns the whole body. Throws an Error with the code `ETOOBIG` if the body exceeds 64 MiB. */
    text: () => readText(chunks()),
  };
}

/** Creates a fetch with its own connections, which are reused and do not keep an idle process alive. */
export function createHttpFetch(): HttpFetch {
  const transports = new Map<string, Promise<Transport>>();
  const transportOf = (protocol: string) => {
    const known = transports.get(protocol) ?? openTransport(protocol);
    transports.set(protocol, known);
    return known;
  };
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    signal?.throwIfAborted();
    const { target, authorization } = readTarget(url);
    const { request, agent } = await transportOf(target.protocol);
    signal?.throwIfAborted();
    const length: Record<string, string> = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const sent = request(target, { method, agent, headers: { ...authorization, ...headers, ...length } });
    const message = await send(sent, body, signal);
    refuseForeignRedirect(message, target);
    return toResponse(message, signal);
  };
}
