import { isObject } from '../../base/is-object.ts';
import { nearest } from '../../base/nearest.ts';
import { withoutLogin } from '../../config/login.ts';
import { type ErrorCode, RlmError, type RlmErrorOptions } from '../../errors.ts';
import { BrokenReply } from '../broken-reply.ts';
import { clean, errorIn, type FullResponse, retryAfterMs } from './http-errors.ts';
import { asList, asObject, type Json, parseObject } from './json.ts';

/**
 * The words that messages use for one kind of server. `address`, `failed`, `shorten`, `access`, `missing` and `refused`
 * are hints.
 */
export interface ServerWords {
  /** The name of the expected server, such as `Ollama`. */
  readonly kind: string;
  readonly address: string;
  readonly failed: string;
  readonly shorten: string;
  readonly access: string;
  readonly missing: string;
  readonly refused: string;
  readonly tooLong: RegExp;
  /** Statuses that never mean that the text is too long. */
  readonly notTooLong: readonly number[];
  /** Returns the status that replaces 400 for an error body; null to keep 400. */
  readonly statusIn?: (text: string) => number | null;
  /** The error for an account without credit. `words` matches the server's message. */
  readonly unpaid?: { readonly words: RegExp; readonly code: ErrorCode; readonly hint: string };
  /** The error codes, if they differ from those of a model provider. */
  readonly codes?: ServerCodes;
}

interface ServerCodes {
  readonly unreachable: ErrorCode;
  readonly failed: ErrorCode;
  /** The code for a connection that ends too early, and for a broken reply. */
  readonly broken: ErrorCode;
  readonly missing: ErrorCode;
}

const providerCodes: ServerCodes = {
  unreachable: 'provider-unreachable',
  failed: 'provider-failed',
  broken: 'provider-failed',
  missing: 'model-missing',
};

export interface ServerTarget {
  /** The base URL, without a slash at its end. It may contain a password, so messages must not contain it. */
  readonly url: string;
  /** The address as messages show it. */
  readonly display: string;
  /** Empty for a server without models. */
  readonly model: string;
  /** Removes secrets from the server's error text before it is shortened to a message. */
  readonly redact: (text: string) => string;
  readonly words: ServerWords;
}

/** The names of the setting for a server's address, and an example of its value. */
export interface AddressNames {
  readonly baseUrl: string;
  readonly variable: string;
  readonly example: string;
}

/** Returns a base URL, and as `display` the same URL without its login. Throws `config-invalid`. */
export function readBaseUrl(value: string, { baseUrl, variable, example }: AddressNames) {
  const url = value.trim().replace(/\/+$/, '');
  if (URL.canParse(url) && /^https?:\/\//i.test(url) && !/[?#\s]/.test(url)) return { url, display: withoutLogin(url) };
  throw new RlmError('config-invalid', `${baseUrl} is not an address: "${withoutLogin(value)}"`, {
    hint: `Set it to something like ${example} (${variable}).`,
  });
}

/** The `cause` of an error if the server may have refused the request because of its content. */
class RequestRefusal {
  readonly words: string;
  constructor(words: string) {
    this.words = words;
  }
}

/** Returns the server's message if the error may be a refusal of the request; null for other errors. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof RlmError && error.cause instanceof RequestRefusal ? error.cause.words : null;

const codesOf = ({ words }: ServerTarget): ServerCodes => words.codes ?? providerCodes;
const nameOf = ({ words, display }: ServerTarget): string => `${words.kind} at ${display}`;

export function unreachable(target: ServerTarget, why: string, options: RlmErrorOptions = {}): RlmError {
  const { words, display } = target;
  const message = `${words.kind} does not answer at ${display}: ${why}`;
  return new RlmError(codesOf(target).unreachable, message, { hint: words.address, ...options });
}

export function notTheServer(target: ServerTarget, what: string, isBeforeCalls = false): RlmError {
  const { unreachable: before, failed } = codesOf(target);
  const message = `the service at ${target.display} is not ${target.words.kind}: ${what}`;
  return new RlmError(isBeforeCalls ? before : failed, message, { hint: target.words.address });
}

export function brokenReply(target: ServerTarget, what: string, cause?: unknown): RlmError {
  const options = { hint: target.words.failed, transient: true, cause: new BrokenReply(cause) };
  return new RlmError(codesOf(target).broken, `the reply of ${nameOf(target)} ${what}`, options);
}

export function promptTooLong({ model, words }: ServerTarget, what: string, hint = words.shorten): RlmError {
  return new RlmError('prompt-too-long', `the prompt does not fit ${model}'s window: ${what}`, { hint });
}

const mostListed = 8;

/** Creates the error for a missing model. */
export function modelMissing(target: ServerTarget, models: readonly string[], hint = target.words.missing): RlmError {
  const first = nearest(target.model, models);
  const sorted = first === null ? models : [first, ...models.filter((name) => name !== first)];
  const more = sorted.length - mostListed;
  const shown = [...sorted.slice(0, mostListed), ...(more > 0 ? [`and ${more} more`] : [])];
  const message = `${nameOf(target)} has no model "${target.model}"; it has ${shown.join(', ') || 'no models yet'}`;
  return new RlmError('model-missing', message, { hint });
}

const unreachableCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
};

const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Converts an error of a connection to an RlmError. Returns an RlmError unchanged. */
export function fromConnection(thrown: unknown, target: ServerTarget): RlmError {
  if (thrown instanceof RlmError) return thrown;
  const { code = '', message = String(thrown) } = thrown as { code?: string; message?: string };
  const why = unreachableCodes[code];
  if (why !== undefined) return unreachable(target, why, { transient: true, cause: thrown });
  if (brokenCodes.has(code)) return brokenReply(target, 'broke off: the connection was closed', thrown);
  if (code === 'ETOOBIG') return notTheServer(target, message);
  if (code.startsWith('HPE_')) return notTheServer(target, 'it does not speak HTTP');
  const hint = 'Make Node trust the certificate of the server: NODE_EXTRA_CA_CERTS=ca.pem';
  const trust = /CERT|SIGNATURE/.test(code) ? { hint } : {};
  return unreachable(target, clean(target.redact(message)), { ...trust, cause: thrown });
}

/** Reads FastAPI's details, which name each wrong field by its path. */
function detailOf(detail: unknown): string | null {
  if (typeof detail === 'string') return detail;
  const parts = asList(detail)
    .map(asObject)
    .map(({ loc, msg }) => `${asList(loc).join('.')}: ${String(msg)}`);
  return parts.length === 0 ? null : parts.join('; ');
}

/** Parses a JSON object, or the first object of a list; null for other text. */
export function firstObject(text: string): Json | null {
  const body = parseObject(`{"body":${text}}`)?.['body'];
  const first = Array.isArray(body) ? body.find(isObject) : body;
  return isObject(first) ? first : null;
}

function wordsIn(text: string): string | null {
  const value = firstObject(text);
  if (value === null) return null;
  const { error, message, detail } = value;
  const { message: inner, param, code } = asObject(error);
  const named = [param, code].filter((name) => typeof name === 'string').join(', ');
  if (typeof inner === 'string' && inner !== '') return named === '' ? inner : `${inner} (${named})`;
  if (typeof message === 'string') return message;
  return error ? errorIn(JSON.stringify({ error })) : detailOf(detail);
}

export function explain(text: string): string {
  const words = wordsIn(text);
  if (words !== null) return words;
  return text.trimStart().startsWith('<') ? 'an HTML page' : text.trim().slice(0, 2000) || 'no explanation';
}

export function fromStatus(response: FullResponse, target: ServerTarget, why = explain(response.text)): RlmError {
  const { headers, text } = response;
  const { words, model } = target;
  const status = (response.status === 400 ? words.statusIn?.(text) : null) ?? response.status;
  const codes = codesOf(target);
  const said = `${nameOf(target)} answered ${status}${model === '' ? '' : ` for ${model}`}: ${clean(why)}`;
  const isFinal = headers.get('x-should-retry') === 'false';
  const again = { transient: !isFinal, retryAfterMs: retryAfterMs(headers) };
  if (status === 413 || (words.tooLong.test(why) && !words.notTooLong.includes(status)))
    return new RlmError('prompt-too-long', said, { hint: words.shorten });
  if (words.unpaid && (status === 402 || words.unpaid.words.test(`${why} ${text}`)))
    return new RlmError(words.unpaid.code, said, { hint: words.unpaid.hint });
  if (status === 404) return new RlmError(codes.missing, said, { hint: words.missing });
  if (status === 401 || status === 403) return new RlmError('credentials-refused', said, { hint: words.access });
  if (status === 429) return new RlmError('rate-limited', said, { hint: 'Wait, then try again.', ...again });
  const cause = new RequestRefusal(why);
  if (status === 408 || status === 409 || status >= 500) {
    const refuses = status >= 500 && speaksOfRequest.test(why) ? { cause } : {};
    const worked = gatewayTimeouts.includes(status) ? { cause: new BrokenReply(why) } : {};
    return new RlmError(codes.failed, said, { hint: failedHint(words, why), ...again, ...refuses, ...worked });
  }
  return new RlmError('request-refused', said, { hint: words.refused, cause });
}

/** Statuses of a gateway that stopped waiting for the server. The server may still work on the request. */
const gatewayTimeouts: readonly number[] = [504, 524];

/** Matches messages about the request itself: some servers answer 500 if they do not understand a request. */
const speaksOfRequest = /support|unknown|unrecogni[sz]ed|invalid|not (allowed|permitted)|require|unexpected|grammar/i;
const overloaded = /overload|busy|try again|too many|capacity|rate.?limit|temporar|unavailable|loading|timed? ?out/i;

/** Creates the error for a failure in a reply that began with 200 OK. */
export function fromBody(text: string, target: ServerTarget, status: number | null = null): RlmError {
  const why = explain(text);
  if (target.words.tooLong.test(why)) return fromStatus({ status: 413, headers: noHeaders, text }, target);
  if (status !== null && status !== 400) return fromStatus({ status, headers: noHeaders, text }, target);
  return new RlmError(codesOf(target).failed, `${nameOf(target)} reports: ${clean(why)}`, {
    hint: failedHint(target.words, why),
    transient: overloaded.test(why) && target.words.unpaid?.words.test(why) !== true,
    cause: new RequestRefusal(why),
  });
}

const noHeaders = { get: () => null };

const failedHint = ({ failed }: ServerWords, why: string): string =>
  /system memory|out of memory/i.test(why)
    ? 'Use a smaller model (--model) or a smaller window (context.maxWindowTokens).'
    : failed;
