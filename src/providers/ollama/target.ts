/** An Ollama server and its model: what messages say about them, and requests. */
import type { Environment } from '../../config/setting-layers.ts';
import { createHttpFetch, type HttpFetch, type HttpResponse } from '../wire/http.ts';
import { type FullResponse, readFully } from '../wire/http-errors.ts';
import { fromStatus, type ServerTarget, type ServerWords } from '../wire/server-errors.ts';
import { parseOllamaHost } from './host.ts';

export interface OllamaOptions {
  /** The server's address, in any form that OLLAMA_HOST may have. */
  readonly host: string;
  readonly model: string;
  /** How long the server keeps the model loaded after a call: `5m`, or seconds; `-1` is for ever. */
  readonly keepAlive?: string;
  /** Whether to refuse a model that the server forwards to another one, because no trusted setting chose it. */
  readonly refuseRemote?: boolean;
  /** Removes secrets from the server's error messages; replies are redacted by the caller. */
  readonly redact?: (text: string) => string;
  /** The environment: OLLAMA_API_KEY, which ollama.com alone is sent, and OLLAMA_NUM_PARALLEL. Default: empty. */
  readonly env?: Environment;
}

/** A server with its connections, and the model that is asked for. */
export interface OllamaTarget extends ServerTarget {
  readonly http: HttpFetch;
  readonly env: Environment;
  /** `keep_alive` of a request; empty: as the server does by default. */
  readonly keep: { readonly keep_alive?: string | number };
  /** Whether it is asked for vectors: a model that answers is no substitute. */
  readonly makesVectors: boolean;
}

const wordsFor = (model: string): ServerWords => ({
  kind: 'Ollama',
  address: 'Start it with: ollama serve. If it runs elsewhere, set OLLAMA_HOST. To see what answers: rlm doctor',
  failed: 'The log of the Ollama server may say more.',
  shorten:
    'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) if the model and the memory allow it, or lower context.passages.',
  access:
    'For a model in the cloud: ollama signin. For a server behind a password: OLLAMA_HOST=https://user:password@host',
  missing: `ollama pull ${model}, or: rlm models pull ${model}`,
  refused: 'Ollama may be too old for this request. See: ollama --version',
  tooLong: /exceed_context_size|exceeds the (available )?context|longer than the context length/i,
  notTooLong: [],
});

function credentials({ url, env }: OllamaTarget): Record<string, string> {
  const key = env['OLLAMA_API_KEY'];
  return key && /^https:\/\/ollama\.com(:443)?(\/|$)/.test(url) ? { authorization: `Bearer ${key}` } : {};
}

/** Reads the target. Throws `config-invalid` when the host is no address. */
export function readOllamaTarget(options: OllamaOptions, makesVectors: boolean): OllamaTarget {
  const { host, model, keepAlive, redact = (text) => text, env = {} } = options;
  // The server reads strings as Go durations, so bare seconds have to be a number.
  const duration = (value: string) => (/^-?\d+$/.test(value.trim()) ? Number(value) : value);
  const keep = keepAlive === undefined ? {} : { keep_alive: duration(keepAlive) };
  const words = wordsFor(model);
  return { ...parseOllamaHost(host), http: createHttpFetch(), model, redact, words, env, keep, makesVectors };
}

/** Posts a JSON body, or sends a GET without one; any status is a result. */
export function open(
  target: OllamaTarget,
  path: string,
  signal: AbortSignal,
  body: object | null = null,
): Promise<HttpResponse> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...credentials(target) };
  const posted = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
  return target.http(`${target.url}${path}`, { ...posted, headers, signal });
}

/** Reads the response of `open` to its end. */
export const request = async (...asked: Parameters<typeof open>): Promise<FullResponse> =>
  readFully(await open(...asked), asked[0].redact);

/** Posts a JSON body. Throws the error of a status other than 2xx. */
export async function post(target: OllamaTarget, path: string, signal: AbortSignal, body: object) {
  const response = await open(target, path, signal, body);
  if (response.ok) return response;
  throw fromStatus(await readFully(response, target.redact), target);
}
