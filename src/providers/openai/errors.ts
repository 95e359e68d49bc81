/** The failures of a server that speaks OpenAI's API as RlmErrors, each with what to do about it. */
import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import { clean, connectionError, errorIn, type FullResponse, retryAfterMs } from '../wire/http-errors.ts';
import { asList, asObject, type Json, parseObject } from '../wire/json.ts';
import type { OpenAiTarget } from './target.ts';

/** The `cause` of an error for a refused request; the message may name a parameter as the reason. */
export class RequestRefusal {
  readonly words: string;
  constructor(words: string) {
    this.words = words;
  }
}

const seeAddress = ({ names }: OpenAiTarget) =>
  `See ${names.baseUrl} (${names.variable}); it ends in /v1 for most servers.`;

/**
 * Messages about overlong prompts by OpenAI, vLLM, llama.cpp's server, LM Studio, text-embeddings-inference and
 * gateways.
 */
const tooLong = new RegExp(
  [
    'maximum (context|input) length',
    'must have less than',
    'too large to process',
    'exceeds? the (available |model.s )?(maximum )?context',
    'context.?(length|size|window).{0,9}exceed',
    'exceed_context_size',
    '(greater|longer|larger|more) than the (available |model.s )?(maximum )?context',
    'context the overflows',
    '(prompt|input) is too long',
    'request too large',
    'reduce the length of the (messages|prompt|input)',
  ].join('|'),
  'i',
);
const overloaded = /overload|busy|try again|capacity|rate.?limit|temporar|unavailable|loading|timed? ?out/i;
/** Some servers answer a request that they do not understand with 500. */
const speaksOfRequest = /support|unknown|unrecogni[sz]ed|invalid|not (allowed|permitted)|require|unexpected|grammar/i;
const outOfMoney = /insufficient.?(quota|balance|credit|funds)|exceeded your current quota|billing/i;

/** Parses a JSON object; of a list of objects, the first. */
function firstObject(text: string): Json | null {
  const whole = text.trim();
  return parseObject(whole.startsWith('[') ? whole.slice(1, whole.lastIndexOf(']')) : whole);
}

/** Reads FastAPI's details, which name each wrong field by its path. */
function detailOf(detail: unknown): string | null {
  if (typeof detail === 'string') return detail;
  const parts = asList(detail).map((item) => {
    const { loc, msg } = asObject(item);
    return `${asList(loc).join('.')}: ${String(msg)}`;
  });
  return parts.length === 0 ? null : parts.join('; ');
}

/** Returns an error's message, in any of the forms of servers; null when the text holds none. */
function wordsIn(text: string): string | null {
  const value = firstObject(text);
  if (value === null) return null;
  const { error, message, detail } = value;
  const { message: inner, param, code } = asObject(error);
  const named = [param, code].filter((name) => typeof name === 'string').join(', ');
  if (typeof inner === 'string' && inner !== '') return named === '' ? inner : `${inner} (${named})`;
  if (error) return errorIn(JSON.stringify({ error }));
  return typeof message === 'string' ? message : detailOf(detail);
}

function explain(text: string): string {
  const words = wordsIn(text);
  if (words !== null) return words;
  return text.trimStart().startsWith('<') ? 'an HTML page' : text.trim().slice(0, 2000) || 'no explanation';
}

function unreachable(target: OpenAiTarget, why: string, options: RlmErrorOptions): RlmError {
  return new RlmError('provider-unreachable', `no answer from ${target.display}: ${why}`, {
    hint: seeAddress(target),
    ...options,
  });
}

/** Creates the error for an incomplete reply. */
export function brokenReply({ display }: OpenAiTarget, what: string, cause?: unknown): RlmError {
  return new RlmError('provider-failed', `the reply of ${display} ${what}`, {
    hint: 'The log of the server may say why.',
    transient: true,
    cause,
  });
}

/** Creates the error for a 200 OK in another protocol. */
export const otherThan = (
  target: OpenAiTarget,
  wanted: string,
  code: 'provider-failed' | 'provider-unreachable' = 'provider-failed',
): RlmError =>
  new RlmError(code, `${target.display} answers with something else than ${wanted}`, { hint: seeAddress(target) });

/** Converts an error of the connection. */
export function fromOpenAiConnection(error: unknown, target: OpenAiTarget): RlmError {
  return connectionError(error, {
    redact: target.redact,
    unreachable: (why, options) => unreachable(target, why, options),
    broken: () => brokenReply(target, 'broke off: the connection was closed', error),
    tooLong: () => otherThan(target, 'a reply of sensible length'),
    notHttp: () => otherThan(target, 'HTTP'),
  });
}

function refusedCredentials(said: string, { apiKey }: OpenAiTarget): RlmError {
  const hint =
    apiKey === null
      ? 'Set OPENAI_API_KEY to a key that the server takes; none was sent.'
      : 'The key in OPENAI_API_KEY is not taken. Set OPENAI_API_KEY to one that the server takes.';
  return new RlmError('credentials-refused', said, { hint });
}

function limited(said: string, words: string, headers: FullResponse['headers']): RlmError {
  if (outOfMoney.test(words)) {
    return new RlmError('rate-limited', said, { hint: 'Pay or raise the quota with whoever runs the server.' });
  }
  const options = { transient: true, retryAfterMs: retryAfterMs(headers) };
  return new RlmError('rate-limited', said, { hint: 'Wait, then run it again.', ...options });
}

const missingHint = (target: OpenAiTarget) => `Choose another with ${target.names.modelFlag}. ${seeAddress(target)}`;

/** Creates the error for a status other than 2xx. */
export function fromOpenAiStatus({ status, headers, text }: FullResponse, target: OpenAiTarget): RlmError {
  const words = explain(text);
  const said = `${target.display} answered ${status} for ${target.model}: ${clean(words)}`;
  if (status === 413 || (status !== 401 && tooLong.test(words))) {
    return new RlmError('prompt-too-long', said, { hint: target.names.shorten });
  }
  if (status === 404) return new RlmError('model-missing', said, { hint: missingHint(target) });
  if (status === 401 || status === 403) return refusedCredentials(said, target);
  if (status === 429 || status === 402) return limited(said, status === 402 ? 'billing' : words, headers);
  const cause = new RequestRefusal(words);
  if (status === 408 || status === 409 || status >= 500) {
    const refuses = status >= 500 && speaksOfRequest.test(words) ? { cause } : {};
    const options = { transient: true, retryAfterMs: retryAfterMs(headers), ...refuses };
    return new RlmError('provider-failed', said, { hint: 'The log of the server may say more.', ...options });
  }
  return new RlmError('request-refused', said, { hint: missingHint(target), cause });
}

const noHeaders = { get: () => null };

/** Creates the error for a failure in a reply that began with 200 OK. */
export function fromOpenAiBody(text: string, target: OpenAiTarget): RlmError {
  const value = firstObject(text) ?? {};
  const status = Number(asObject(value['error'])['code'] ?? value['code']);
  if (Number.isInteger(status) && status >= 400 && status < 600) {
    return fromOpenAiStatus({ status, headers: noHeaders, text }, target);
  }
  const words = explain(text);
  if (tooLong.test(words)) return fromOpenAiStatus({ status: 413, headers: noHeaders, text }, target);
  return new RlmError('provider-failed', `${target.display} reports: ${clean(words)}`, {
    hint: 'The log of the server may say more.',
    transient: overloaded.test(words) && !outOfMoney.test(words),
    cause: new RequestRefusal(words),
  });
}

/** Whether an object that came with 200 OK is an error. */
export const isErrorBody = (value: Json): boolean =>
  Boolean(value['error']) || value['object'] === 'error' || (!('choices' in value) && 'detail' in value);
