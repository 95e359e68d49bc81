/** Requests to a server that speaks Anthropic's API, and what is particular to their failures. */
import { RlmError } from '../../errors.ts';
import type { HttpFetch } from '../wire/http.ts';
import { type FullResponse, readFully } from '../wire/http-errors.ts';
import { asObject, type Json, parseObject } from '../wire/json.ts';
import {
  brokenReply,
  fromBody,
  fromStatus,
  jsonHeaders,
  notTheServer,
  type ServerTarget,
  type ServerWords,
} from '../wire/server-errors.ts';
import { readEvents } from '../wire/stream.ts';

/** Requests to one server. They reject with an RlmError, or what the connection threw. */
export type AnthropicRequests = ReturnType<typeof createAnthropicRequests>;

const version = '2026-10-21';

/** Creates the requests to one server, with a `key` where it wants one. */
export function createAnthropicRequests(http: HttpFetch, target: ServerTarget, key: string | null) {
  const headers = { ...jsonHeaders(key), 'anthropic-version': version };
  async function send(path: string, init: { method?: string; body?: string; signal: AbortSignal }) {
    const response = await http(`${target.url}${path}`, { ...init, headers });
    if (response.ok) return response;
    throw fromAnthropicStatus(await readFully(response, target.redact), target);
  }

  return {
    async get(path: string, signal: AbortSignal): Promise<Json> {
      const response = await send(path, { signal });
      return asObject(parseObject(await response.text()));
    },
    /** Posts a request for a streamed message and returns its events as they come, of any shape. */
    async *stream(body: object, signal: AbortSignal): AsyncGenerator<Json> {
      const response = await send('/v1/messages', { method: 'POST', body: JSON.stringify(body), signal });
      const type = response.headers.get('content-type') ?? 'no content type';
      const isStream = type.includes('event-stream');
      for await (const data of readEvents(response, target.display)) {
        const event = parseObject(data);
        if (event !== null && 'error' in event) throw fromEvent(event, target);
        if (!isStream) break;
        if (event === null) throw brokenReply(target, 'holds something that is not JSON');
        yield event;
      }
      if (!isStream) throw notTheServer(target, `it answered with ${type} instead of a stream of events`);
    },
  };
}

const later = 'Run it again later. https://status.claude.com shows how the service is.';

export const anthropicWords: ServerWords = {
  kind: "Anthropic's API",
  address: 'See anthropic.baseUrl (RLM_ANTHROPIC_BASE_URL). To see what answers: rlm doctor',
  failed: later,
  shorten:
    'Lower context.passages or context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS), or choose a model with a larger window.',
  access: 'Set ANTHROPIC_API_KEY to a key that may use it.',
  missing: 'Choose one with --model (setting model, RLM_MODEL). To see what is there: rlm doctor',
  refused: 'Choose another model with --model, or update rlm.',
  tooLong: /prompt is too long|input is too long|context (window|limit|length)|maximum context|request_too_large/i,
  notTooLong: [401, 403, 404, 429],
  unpaid: {
    words: /credit balance|spend(ing)?[ _](limit|cap)|usage limits/i,
    code: 'provider-failed',
    hint: 'See credits and limits at https://platform.claude.com/settings/billing',
  },
};

/** The status of each type of error. */
const statuses: Readonly<Record<string, number>> = {
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const statusIn = (text: string): number | null =>
  statuses[String(asObject(parseObject(text)?.['error'])['type'])] ?? null;

/** Creates the error for a status other than 2xx; a body with 400 may name another type. */
const fromAnthropicStatus = (response: FullResponse, target: ServerTarget): RlmError =>
  fromStatus(response.status === 400 ? { ...response, status: statusIn(response.text) ?? 400 } : response, target);

/** Creates the error for a failure in a reply that began with 200 OK: an event with the same body. */
export function fromEvent(event: object, target: ServerTarget): RlmError {
  const text = target.redact(JSON.stringify(event));
  return fromBody(text, target, statusIn(text));
}

/** Creates the error for a reply that ended without being complete; a retry would end in the same way. */
export function unfinished({ model }: ServerTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${model} ${what}`, {
    hint: 'Rephrase the question, or choose another model with --model.',
  });
}

/** Creates the error for a missing or invalid key. */
export function unusableKey({ display, model }: ServerTarget, key: string | null): RlmError {
  const what = key === null ? 'is not set' : 'holds characters that stand in no key';
  return new RlmError('credentials-refused', `ANTHROPIC_API_KEY ${what}, and ${display} needs a key for ${model}`, {
    hint: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys',
  });
}
