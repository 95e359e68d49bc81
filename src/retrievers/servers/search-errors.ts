/** Everything that can go wrong at a search server, as an RlmError that says what to do about it. */
import { RlmError, type RlmErrorOptions } from '../../errors.ts';
import {
  clean as cleanText,
  connectionError,
  type FullResponse,
  retryAfterMs,
} from '../../providers/wire/http-errors.ts';
import { asObject, parseObject } from '../../providers/wire/json.ts';

/** The server that is talked to. */
export interface SearchTarget {
  /** As the kind is written: `Chroma`. */
  readonly kind: string;
  /** The address without user and password. */
  readonly display: string;
  /** What is searched there: `collection "docs"`. */
  readonly collection: string;
  /** How the server is told who asks. */
  readonly credentialsHint: string;
  /** Takes secrets out of what the server says, before it is shortened to a message. */
  readonly redact: (text: string) => string;
}

const addressHint = 'See that the server runs and that its address is right: rlm config get retrieval.server';

/** A server's words as one short line without control codes or secrets. */
const clean = (text: string, { redact }: SearchTarget): string => cleanText(redact(text));

function unreachable(target: SearchTarget, why: string, options: RlmErrorOptions = {}): RlmError {
  const message = `${target.kind} does not answer at ${target.display}: ${why}`;
  return new RlmError('search-unreachable', message, { hint: addressHint, ...options });
}

/** Something answers, and not as that server does. */
export function notTheServer({ kind, display }: SearchTarget, what: string, cause?: unknown): RlmError {
  return new RlmError('search-failed', `what answers at ${display} is not ${kind}: ${what}`, {
    hint: addressHint,
    cause,
  });
}

export function tooSlow({ kind, display }: SearchTarget, timeoutMs: number): RlmError {
  return new RlmError('call-timeout', `${kind} at ${display} did not answer within ${timeoutMs / 1000} s`, {
    hint: 'Check that the server runs; rlm doctor asks it.',
  });
}

/** From an error that the connection threw. */
export function fromConnection(error: unknown, target: SearchTarget): RlmError {
  return connectionError(error, {
    redact: target.redact,
    unreachable: (why, options) => unreachable(target, why, options),
    broken: () => unreachable(target, 'the connection was closed', { transient: true, cause: error }),
    tooLong: (message) => notTheServer(target, message, error),
    notHttp: () => notTheServer(target, 'it does not speak HTTP', error),
  });
}

/**
 * What an error reply says: Chroma's `message`, or the `error` of Elasticsearch and OpenSearch with its `reason`, and
 * before it that of its cause: of a search it may only tell that all shards failed.
 */
function saidIn(text: string, target: SearchTarget): string {
  const body = parseObject(text);
  if (body === null) return text.trimStart().startsWith('<') ? 'an HTML page' : clean(text, target) || 'no explanation';
  const { error, message } = body;
  const { type, reason, root_cause: causes } = asObject(error);
  const cause = Array.isArray(causes) ? asObject(causes[0])['reason'] : null;
  const said = [message, cause, reason, type, error].find((value) => typeof value === 'string') ?? text;
  return clean(String(said), target);
}

/** From a status other than 2xx. */
export function fromStatus({ status, headers, text }: FullResponse, target: SearchTarget): RlmError {
  const { kind, display, collection, credentialsHint } = target;
  const why = saidIn(text, target);
  const said = `${kind} at ${display} answered ${status}: ${why}`;
  const again = { transient: true, retryAfterMs: retryAfterMs(headers) };
  if (status === 401 || status === 403) {
    return new RlmError('credentials-refused', `${kind} at ${display} refuses access: ${why}`, {
      hint: credentialsHint,
    });
  }
  if (status === 404) {
    return new RlmError('collection-missing', `${kind} at ${display} has no ${collection}: ${why}`, {
      hint: addressHint,
    });
  }
  if (status === 429) return new RlmError('rate-limited', said, { hint: 'Wait, then run it again.', ...again });
  if (status === 408 || status === 409 || status >= 500) {
    return new RlmError('search-failed', said, { hint: 'The log of the server may say more.', ...again });
  }
  return new RlmError('request-refused', said, {
    hint: 'The server may be too old for this request, or its fields may be others: see the options of retrieval.server.',
  });
}
