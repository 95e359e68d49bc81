/** Creates an RlmError for every failure of an Ollama server, with a hint what to do. */
import type { Environment } from '../../config/setting-layers.ts';
import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import { clean, connectionError, errorIn, type FullResponse, retryAfterMs } from '../wire/http-errors.ts';

/** The server and the model. */
export interface OllamaTarget {
  /** The base URL; it may hold a password, so it goes into no message. */
  readonly url: string;
  readonly display: string;
  readonly model: string;
  /** Removes secrets from the server's words before they are shortened to a message. */
  readonly redact: (text: string) => string;
  /** The environment: OLLAMA_API_KEY, and OLLAMA_NUM_PARALLEL as the server may have been given it. */
  readonly env: Environment;
  /** Whether it is asked for vectors: a model that answers is no substitute. */
  readonly makesVectors?: boolean;
}

const elsewhere = 'If it runs elsewhere, set OLLAMA_HOST. To see what answers: rlm doctor';

const tooLong = /exceed_context_size|exceeds the (available )?context|longer than the context length/i;
const overloaded = /busy|overload|try again|too many|capacity|resource limitations/i;
const outOfMemory = /system memory|out of memory/i;

/** No Ollama answers, or none that serves. */
export function unreachable(target: OllamaTarget, why: string, options: RlmErrorOptions = {}): RlmError {
  const message = `Ollama does not answer at ${target.display}: ${why}`;
  return new RlmError('provider-unreachable', message, {
    hint: `Start it with: ollama serve. ${elsewhere}`,
    ...options,
  });
}

/** Something answers, but it is not Ollama. */
export function notOllama(
  target: OllamaTarget,
  what: string,
  code: 'provider-unreachable' | 'provider-failed',
): RlmError {
  return new RlmError(code, `what answers at ${target.display} is not Ollama: ${what}`, {
    hint: `Set OLLAMA_HOST to Ollama's address. To see what answers: rlm doctor`,
  });
}

/** A reply that was broken off. */
export function broken(target: OllamaTarget, what: string, cause?: unknown): RlmError {
  return new RlmError('provider-failed', `the reply of Ollama at ${target.display} ${what}`, {
    hint: 'The log of the Ollama server may say why.',
    transient: true,
    cause,
  });
}

/** Creates the error for a prompt that does not fit the window. */
export function promptTooLong(target: OllamaTarget, what: string, hint: string): RlmError {
  return new RlmError('prompt-too-long', `the prompt does not fit ${target.model}'s window: ${what}`, { hint });
}

const widerWindow =
  'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) if the model and the memory allow it, or lower context.passages.';

/** Converts an error of the connection. */
export function fromConnection(error: unknown, target: OllamaTarget): RlmError {
  return connectionError(error, {
    redact: target.redact,
    unreachable: (why, options) => unreachable(target, why, options),
    broken: () => broken(target, 'broke off: the connection was closed', error),
    tooLong: (message) => notOllama(target, message, 'provider-failed'),
    notHttp: () => notOllama(target, 'it does not speak HTTP', 'provider-failed'),
  });
}

/** Creates the error for a message in a reply that began with 200 OK. */
export function fromMessage(message: string, target: OllamaTarget): RlmError {
  if (tooLong.test(message)) return promptTooLong(target, message, widerWindow);
  return new RlmError('provider-failed', `Ollama at ${target.display} reports: ${message}`, {
    hint: outOfMemory.test(message)
      ? 'Use a smaller model (--model) or a smaller window (context.maxWindowTokens).'
      : 'The log of the Ollama server may say more.',
    transient: overloaded.test(message),
  });
}

function refusedCredentials(message: string, target: OllamaTarget): RlmError {
  return new RlmError('credentials-refused', `Ollama at ${target.display} refuses access: ${message}`, {
    hint: 'For a model in the cloud: ollama signin. For a server behind a password: OLLAMA_HOST=https://user:password@host',
  });
}

/**
 * Creates the error for a model that is not on the server.
 * @param others the models on the server; null when unknown.
 * @param usable one of them that can answer; null: none.
 */
export function modelMissing(
  target: OllamaTarget,
  others: readonly string[] | null,
  usable: string | null = null,
): RlmError {
  const pull = `ollama pull ${target.model}, or: rlm models pull ${target.model}`;
  const listed = others === null ? '' : `; it has ${others.length === 0 ? 'no models yet' : others.join(', ')}`;
  return new RlmError('model-missing', `Ollama at ${target.display} has no model "${target.model}"${listed}`, {
    hint: usable === null ? pull : `Use one that is there: --model ${usable}. To download the missing one: ${pull}`,
  });
}

/** Creates the error for a status other than 2xx. */
export function fromStatus(response: FullResponse, target: OllamaTarget): RlmError {
  const { status, headers, text } = response;
  const message =
    errorIn(text) ?? (text.trimStart().startsWith('<') ? 'an HTML page' : clean(text) || 'no explanation');
  const said = `Ollama at ${target.display} answered ${status}: ${message}`;
  const options = { transient: true, retryAfterMs: retryAfterMs(headers) };
  if (status === 413 || tooLong.test(message)) return promptTooLong(target, message, widerWindow);
  if (status === 404) return modelMissing(target, null);
  if (status === 401 || status === 403) return refusedCredentials(message, target);
  if (status === 429) return new RlmError('rate-limited', said, { hint: 'Wait, then run it again.', ...options });
  if (status === 408 || status === 409 || status >= 500) {
    return new RlmError('provider-failed', said, { hint: fromMessage(message, target).hint, ...options });
  }
  return new RlmError('request-refused', said, {
    hint: 'Ollama may be too old for this request. See: ollama --version',
  });
}
