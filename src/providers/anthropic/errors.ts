/** The failures of a server that speaks Anthropic's API as RlmErrors, each with what to do about it. */
import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import { clean, connectionError, errorIn, type FullResponse, retryAfterMs } from '../wire/http-errors.ts';
import { asObject, parseObject } from '../wire/json.ts';

/** The server and the model. */
export interface AnthropicTarget {
  /** The base URL, without a slash at its end; it may hold a password, so it goes into no message. */
  readonly url: string;
  readonly display: string;
  readonly model: string;
  /** Removes secrets from the server's words before they are shortened to a message. */
  readonly redact: (text: string) => string;
}

/** An error as the API words it, with the status where there is one. */
interface Reported {
  readonly status: number | null;
  /** Such as `overloaded_error`; empty where it is not told. */
  readonly type: string;
  readonly message: string;
  /** Such as `enforced_spend_limit_reached`; empty where it is not told. */
  readonly detail: string;
  readonly retryAfterMs: number | null;
  /** Whether the server says that a retry is of no use. */
  readonly isFinal: boolean;
}

const address = 'See anthropic.baseUrl (RLM_ANTHROPIC_BASE_URL). To see what answers: rlm doctor';
const status = 'https://status.claude.com shows how the service is.';
const shorter =
  'Lower context.passages or context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS), or choose a model with a larger window.';

const tooLong = /prompt is too long|input is too long|context (window|limit|length)|maximum context|request_too_large/i;
const unpaid = /credit balance|spend(ing)?[ _](limit|cap)|usage limits/i;
/** Error types that concern the caller, the rate or the model, regardless of their words. */
const notOfPrompt = ['authentication_error', 'permission_error', 'not_found_error', 'rate_limit_error'];

/** The meaning of each status, where the body names no type. */
const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

/** Creates the error for a server that does not answer. */
function unreachable(target: AnthropicTarget, why: string, options: RlmErrorOptions = {}): RlmError {
  return new RlmError('provider-unreachable', `no answer from ${target.display}: ${why}`, {
    hint: address,
    ...options,
  });
}

/** Creates the error for something else that answers at the address. */
export function notAnthropic(
  target: AnthropicTarget,
  what: string,
  code: 'provider-unreachable' | 'provider-failed' = 'provider-failed',
): RlmError {
  return new RlmError(code, `what answers at ${target.display} does not speak Anthropic's API: ${what}`, {
    hint: address,
  });
}

/** Creates the error for an incomplete reply. */
export function broken(target: AnthropicTarget, what: string, cause?: unknown): RlmError {
  return new RlmError('provider-failed', `the reply of ${target.display} ${what}`, {
    hint: `Run it again. ${status}`,
    transient: true,
    cause,
  });
}

/** Creates the error for a prompt, or a prompt with its reply, that does not fit the window. */
export function promptTooLong(target: AnthropicTarget, what: string): RlmError {
  return new RlmError('prompt-too-long', `the prompt does not fit ${target.model}'s window: ${what}`, {
    hint: shorter,
  });
}

/**
 * Creates the error for a reply that ended for another reason than being complete; a retry would end in the same way.
 */
export function unfinished(target: AnthropicTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${target.model} ${what}`, {
    hint: 'Rephrase the question, or choose another model with --model.',
  });
}

/** Creates the error for a missing model; `others` are the models of the server, null when unknown. */
export function modelMissing(target: AnthropicTarget, others: readonly string[] | null): RlmError {
  const listed = others === null ? '' : `; it has ${others.join(', ') || 'no models'}`;
  return new RlmError('model-missing', `${target.display} has no model "${target.model}"${listed}`, {
    hint: 'Choose one with --model (setting model, RLM_MODEL). To see what is there: rlm doctor',
  });
}

/** Creates the error for a missing or invalid key. */
export function unusableKey({ display, model }: AnthropicTarget, key: string | null): RlmError {
  const what = key === null ? 'is not set' : 'holds characters that stand in no key';
  return new RlmError('credentials-refused', `ANTHROPIC_API_KEY ${what}, and ${display} needs a key for ${model}`, {
    hint: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys',
  });
}

/** Converts an error of the connection or the client. */
export function fromConnection(error: unknown, target: AnthropicTarget): RlmError {
  return connectionError(error, {
    redact: target.redact,
    unreachable: (why, options) => unreachable(target, why, options),
    broken: () => broken(target, 'broke off: the connection was closed', error),
    tooLong: (message) => notAnthropic(target, message),
    notHttp: () => notAnthropic(target, 'it does not speak HTTP'),
  });
}

function fromReported(reported: Reported, target: AnthropicTarget): RlmError {
  const { type, message, detail } = reported;
  const answered = reported.status === null ? 'reports' : `answered ${reported.status}`;
  const said = `${target.display} ${answered} for ${target.model}: ${message}`;
  const again = { transient: !reported.isFinal, retryAfterMs: reported.retryAfterMs };
  const isTooLong = type === 'request_too_large' || (tooLong.test(message) && !notOfPrompt.includes(type));
  if (isTooLong) return promptTooLong(target, message);
  if (type === 'billing_error' || unpaid.test(`${message} ${detail}`)) {
    const hint = 'See credits and limits at https://platform.claude.com/settings/billing';
    return new RlmError('provider-failed', said, { hint });
  }
  switch (type) {
    case 'authentication_error':
    case 'permission_error':
      return new RlmError('credentials-refused', said, { hint: 'Set ANTHROPIC_API_KEY to a key that may use it.' });
    case 'not_found_error':
      return modelMissing(target, null);
    case 'rate_limit_error':
      return new RlmError('rate-limited', said, {
        hint: 'Wait, then run it again; or lower budget.concurrency (--concurrency).',
        ...again,
      });
    case 'overloaded_error':
    case 'api_error':
    case 'timeout_error':
      return new RlmError('provider-failed', said, { hint: `Run it again later. ${status}`, ...again });
  }
  return new RlmError('request-refused', said, { hint: 'Choose another model with --model, or update rlm.' });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the type of an error, by its status or else its body. */
function typeOf(told: unknown, code: number): string {
  if (code === 408 || code === 409 || code >= 500) return 'api_error';
  return typesByStatus[code] ?? textOf(told);
}

/** The error in a body `{"type": "error", "error": {"type": …, "message": …, "details": {"error_code": …}}}`. */
function told(text: string) {
  const { type, details } = asObject(parseObject(text)?.['error']);
  return { type, detail: textOf(asObject(details)['error_code']) };
}

/** Creates the error for a status other than 2xx. */
export function fromStatus({ status: code, headers, text }: FullResponse, target: AnthropicTarget): RlmError {
  const isPage = text.trimStart().startsWith('<');
  const message = errorIn(text) ?? (isPage ? 'an HTML page' : clean(text) || 'no explanation');
  const { type, detail } = told(text);
  const isFinal = headers.get('x-should-retry') === 'false';
  const about = { status: code, type: typeOf(type, code), message, detail, isFinal };
  return fromReported({ ...about, retryAfterMs: retryAfterMs(headers) }, target);
}

/** Creates the error for a failure in a reply that began with 200 OK: an event with the same body, or any text. */
export function fromEvent(body: unknown, target: AnthropicTarget): RlmError {
  const text = target.redact(typeof body === 'string' ? body : JSON.stringify(body ?? null));
  const { type, detail } = told(text);
  const message = errorIn(text) ?? (clean(text) || 'no explanation');
  const about = { status: null, type: textOf(type), message, detail, isFinal: false, retryAfterMs: null };
  const error = fromReported(about, target);
  // A request that was accepted cannot be one that is refused.
  if (error.code !== 'request-refused') return error;
  return new RlmError('provider-failed', error.message, { hint: `Run it again later. ${status}` });
}
