import { cutText } from '../../base/text.ts';
import { RlmError } from '../../errors.ts';
import type { HttpResponse } from './http.ts';
import { asObject, parseObject } from './json.ts';

/** A response that was read to its end, with secrets redacted from its text. */
export type FullResponse = Readonly<Awaited<ReturnType<typeof readFully>>>;

/** Reads a response to its end, and redacts its text. */
export async function readFully(response: HttpResponse, redact: (text: string) => string) {
  return { status: response.status, headers: response.headers, text: redact(await response.text()) };
}

const codesOfSetup: readonly string[] = [
  'provider-unreachable',
  'model-missing',
  'credentials-refused',
  'config-invalid',
];

/** Converts an error of `inspect` to `provider-unreachable`. Keeps an error whose code says that the setup is wrong. */
export function asUnavailable(error: RlmError): RlmError {
  if (codesOfSetup.includes(error.code)) return error;
  const { message, hint, transient, retryAfterMs } = error;
  return new RlmError('provider-unreachable', message, { hint, transient, retryAfterMs, cause: error });
}

/** Returns a server's message as one short line without control codes. */
export function clean(text: string): string {
  return cutText(text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim(), 300);
}

/** Returns the message in the `error` of a JSON object, or null. Ollama wraps its runner's JSON error in a string. */
export function errorIn(text: string): string | null {
  const value = parseObject(text);
  if (value === null || !('error' in value)) return null;
  const { error } = value;
  if (typeof error === 'string') return errorIn(error) ?? clean(error);
  const message = asObject(error)['message'] ?? error;
  return clean(typeof message === 'string' ? message : (JSON.stringify(message) ?? ''));
}

/** Returns the wait in ms that a server asks for: in `retry-after-ms`, or in `retry-after` (seconds or a date). */
export function retryAfterMs(headers: { get(name: string): string | null }, now: number = Date.now()): number | null {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Math.round(Number(ms));
  const after = headers.get('retry-after')?.trim();
  if (after === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Math.round(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
