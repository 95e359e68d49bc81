/** Everything that can go wrong at a server that speaks OpenAI's API, as an RlmError that says what to do about it. */
import { RlmError, type RlmErrorOptions } from '../errors.ts';
import { brokenCodes, clean, errorIn, type FullResponse, retryAfterMs, unreachableCodes } from './http-errors.ts';

/** The server and the model that are talked to. */
export interface OpenAiTarget {
  /** The base URL; it may hold a password, so it goes into no message. */
  readonly url: string;
  readonly display: string;
  readonly model: string;
  /** Takes secrets out of what the server says, before it is shortened to a message. */
  readonly redact: (text: string) => string;
}

const address = 'See embedding.baseUrl (RLM_EMBEDDING_BASE_URL); it ends in /v1 for most servers.';

/** OpenAI and vLLM; text-embeddings-inference; llama.cpp's server. */
const tooLong =
  /maximum context length|maximum input length|must have less than|too large to process|exceeds the (available )?context/i;

function unreachable(target: OpenAiTarget, why: string, options: RlmErrorOptions): RlmError {
  return new RlmError('provider-unreachable', `no answer from ${target.display}: ${why}`, {
    hint: address,
    ...options,
  });
}

/** From an error that the connection threw. */
export function fromOpenAiConnection(error: unknown, target: OpenAiTarget): RlmError {
  if (error instanceof RlmError) return error;
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  const why = unreachableCodes[code];
  if (why !== undefined) return unreachable(target, why, { transient: true, cause: error });
  if (!brokenCodes.has(code)) return unreachable(target, clean(target.redact(message)), { cause: error });
  return new RlmError('provider-failed', `the reply of ${target.display} broke off: the connection was closed`, {
    hint: 'The log of the server may say why.',
    transient: true,
    cause: error,
  });
}

/** A reply with 200 OK that holds no vectors. */
export const unreadableReply = (target: OpenAiTarget): RlmError =>
  new RlmError('provider-failed', `${target.display} answers /embeddings with something else than vectors`, {
    hint: address,
  });

const credentialsHint = 'Set OPENAI_API_KEY to a key that the server takes.';
const missingHint = `Choose another with --embedding-model. ${address}`;

/** From a status other than 2xx. */
export function fromOpenAiStatus({ status, headers, text }: FullResponse, target: OpenAiTarget): RlmError {
  const isPage = text.trimStart().startsWith('<');
  const message = errorIn(text) ?? (isPage ? 'an HTML page' : clean(text) || 'no explanation');
  const said = `${target.display} answered ${status} for ${target.model}: ${message}`;
  const options = { transient: true, retryAfterMs: retryAfterMs(headers) };
  if (status === 413 || tooLong.test(message)) {
    return new RlmError('prompt-too-long', said, { hint: 'Lower context.chunkTokens or embedding.batch.' });
  }
  if (status === 404) return new RlmError('model-missing', said, { hint: missingHint });
  if (status === 401 || status === 403) return new RlmError('credentials-refused', said, { hint: credentialsHint });
  if (status === 429) return new RlmError('rate-limited', said, { hint: 'Wait, then run it again.', ...options });
  if (status === 408 || status === 409 || status >= 500) {
    return new RlmError('provider-failed', said, { hint: 'The log of the server may say more.', ...options });
  }
  return new RlmError('request-refused', said, { hint: missingHint });
}
