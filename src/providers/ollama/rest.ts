/** Requests to the server's own paths, besides those that the client package makes. */
import type { HttpFetch, HttpInit } from '../wire/http.ts';
import type { FullResponse } from '../wire/http-errors.ts';
import type { OllamaTarget } from './errors.ts';

/** Returns the credentials for ollama.com. */
export function credentials({ url, env }: OllamaTarget): Record<string, string> {
  const key = env['OLLAMA_API_KEY'];
  return key && /^https:\/\/ollama\.com(:443)?(\/|$)/.test(url) ? { authorization: `Bearer ${key}` } : {};
}

/**
 * Converts a duration: a bare number of seconds must be a number, since the server reads strings as Go durations with
 * units.
 */
export const duration = (value: string): string | number => (/^-?\d+$/.test(value.trim()) ? Number(value) : value);

/** The headers of a request with a JSON body. */
export const jsonHeaders = (target: OllamaTarget): Record<string, string> => ({
  accept: 'application/json',
  'content-type': 'application/json',
  ...credentials(target),
});

/** Sends one request with a JSON body, or a GET without one; any status is a result. */
export async function request(
  http: HttpFetch,
  target: OllamaTarget,
  path: string,
  init: HttpInit,
): Promise<FullResponse> {
  const response = await http(`${target.url}${path}`, { ...init, headers: jsonHeaders(target) });
  return { status: response.status, headers: response.headers, text: target.redact(await response.text()) };
}
