import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import type { HttpResponse } from './http.ts';
import { asObject, parseObject } from './json.ts';

/** A response that was read to its end, with secrets redacted from its text. */
export interface FullResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Reads a response to its end. @param redact removes secrets. */
export async function readFully(response: HttpResponse, redact: (text: string) => string): Promise<FullResponse> {
  return { status: response.status, headers: response.headers, text: redact(await response.text()) };
}

/** Does work whose failures become errors of `toError`, or the signal's reason once it has aborted. */
export async function failingAs<T>(
  toError: (error: unknown) => RlmError,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw toError(error);
  }
}

const beforeCalls: readonly string[] = [
  'provider-unreachable',
  'model-missing',
  'credentials-refused',
  'config-invalid',
];

/** Before the first call, a broken connection or an unreadable reply means that the server is unreachable. */
export function asUnavailable(error: RlmError): RlmError {
  if (beforeCalls.includes(error.code)) return error;
  const { message, hint, transient, retryAfterMs } = error;
  return new RlmError('provider-unreachable', message, { hint, transient, retryAfterMs, cause: error });
}

/** The meaning of a system error before a server answers, by its code. */
const unreachableCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no connection in time',
};

/** Codes of system errors that end a connection in the middle. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Returns a server's message as one short line without control codes. */
export function clean(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** The errors of one kind of server, for what can happen to a connection. */
interface ConnectionErrors {
  readonly redact: (text: string) => string;
  /** No server answers, or none that is trusted. */
  unreachable(why: string, options: RlmErrorOptions): RlmError;
  /** The connection was closed in the middle. */
  broken(): RlmError;
  /** The reply is longer than any of that server. */
  tooLong(message: string): RlmError;
  /** Something answers that does not speak HTTP. */
  notHttp(): RlmError;
}

/** Turns what a connection threw into an error of that kind of server; an RlmError stays as it is. */
export function connectionError(thrown: unknown, errors: ConnectionErrors): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const { code = '', message = String(thrown) } = thrown as { code?: string; message?: string };
  const why = unreachableCodes[code];
  if (why !== undefined) return errors.unreachable(why, { transient: true, cause: thrown });
  if (brokenCodes.has(code)) return errors.broken();
  if (code === 'ETOOBIG') return errors.tooLong(message);
  if (code.startsWith('HPE_')) return errors.notHttp();
  const trust = /CERT|SIGNATURE/.test(code)
    ? { hint: 'Have Node trust its certificate: NODE_EXTRA_CA_CERTS=ca.pem' }
    : {};
  return errors.unreachable(clean(errors.redact(message)), { ...trust, cause: thrown });
}

/** Returns the `error` of a JSON text, or null. Ollama wraps its runner's JSON error in a string. */
export function errorIn(text: string): string | null {
  const value = parseObject(text);
  if (value === null || !('error' in value)) return null;
  const { error } = value;
  if (typeof error === 'string') return errorIn(error) ?? clean(error);
  const message = asObject(error)['message'] ?? error;
  return clean(typeof message === 'string' ? message : (JSON.stringify(message) ?? ''));
}

/** Returns how long a server asks to wait, in ms: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: { get(name: string): string | null }, now: number = Date.now()): number | null {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Math.round(Number(ms));
  const after = headers.get('retry-after')?.trim();
  if (after === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Math.round(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
