import { RlmError } from '../../errors.ts';
import { createHttpFetch, type HttpFetch, type HttpResponse } from './http.ts';
import { asUnavailable, readFully } from './http-errors.ts';
import { fromConnection, fromStatus, type ServerTarget } from './server-errors.ts';

/** A server with its own connections. */
export interface Server extends ServerTarget {
  readonly http: HttpFetch;
  readonly headers: Readonly<Record<string, string>>;
}

interface ServerOptions extends Omit<ServerTarget, 'redact'> {
  /** Null to send no key. */
  readonly apiKey: string | null;
  /** By default, nothing is redacted. */
  readonly redact?: ServerTarget['redact'] | undefined;
}

/** Prepares requests to a server. The first request connects. */
export const connectTo = ({ apiKey, redact = (text) => text, ...target }: ServerOptions): Server => ({
  ...target,
  redact,
  http: createHttpFetch(),
  headers: {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  },
});

/** Posts a JSON body. Sends a GET if `body` is null. Resolves for every status. */
export const send = ({ http, url, headers }: Server, path: string, signal: AbortSignal, body: object | null = null) =>
  http(`${url}${path}`, { ...(body && { method: 'POST', body: JSON.stringify(body) }), headers, signal });

/** Sends a request. Throws for a status other than 2xx. */
export async function sendChecked(...asked: Parameters<typeof send>): Promise<HttpResponse> {
  const [server] = asked;
  const response = await send(...asked);
  if (response.ok) return response;
  throw fromStatus(await readFully(response, server.redact), server);
}

/** Runs requests to a server. Throws RlmError, or the signal's reason once the signal has aborted. */
export async function calling<T>(target: ServerTarget, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw fromConnection(error, target);
  }
}

/** Runs requests before the first call. Converts failures with `asUnavailable`. */
export const inspecting: typeof calling = (target, signal, work) =>
  calling(target, signal, work).catch((error: unknown) => {
    throw error instanceof RlmError && !signal.aborted ? asUnavailable(error) : error;
  });
