import { RlmError } from '../../errors.ts';
import { asObject, type Json, parseObject } from '../wire/json.ts';
import { type Server, sendChecked } from '../wire/requests.ts';
import { brokenReply, fromBody, notTheServer, type ServerTarget, type ServerWords } from '../wire/server-errors.ts';
import { readEvents } from '../wire/stream.ts';

export async function getJson(server: Server, path: string, signal: AbortSignal): Promise<Json> {
  const response = await sendChecked(server, path, signal);
  return asObject(parseObject(await response.text()));
}

/** Posts a request for a streamed message and yields its events without checking their shape. */
export async function* streamMessage(server: Server, body: object, signal: AbortSignal): AsyncGenerator<Json> {
  const response = await sendChecked(server, '/v1/messages', signal, body);
  const type = response.headers.get('content-type') ?? 'no content type';
  const isStream = type.includes('event-stream');
  for await (const data of readEvents(response, server.display)) {
    const event = parseObject(data);
    if (event !== null && 'error' in event) throw fromEvent(event, server);
    if (!isStream) break;
    if (event === null) throw brokenReply(server, 'holds something that is not JSON');
    yield event;
  }
  if (!isStream) throw notTheServer(server, `it answered with ${type} instead of a stream of events`);
}

const later = 'Run the command again later. https://status.claude.com shows the status of the service.';

/** HTTP status by type of error. A response with status 400 may name a type of error that has another status. */
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

export const anthropicWords: ServerWords = {
  kind: "Anthropic's API",
  address: 'See anthropic.baseUrl (RLM_ANTHROPIC_BASE_URL). To check the server: rlm doctor',
  failed: later,
  shorten:
    'Lower context.passages or context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS), or choose a model with a larger window.',
  access: 'Set ANTHROPIC_API_KEY to a key that may use the model.',
  missing: 'Choose a model with --model (setting model, RLM_MODEL). To list the models: rlm doctor',
  refused: 'Choose another model with --model, or update rlm.',
  tooLong: /prompt is too long|input is too long|context (window|limit|length)|maximum context|request_too_large/i,
  notTooLong: [401, 403, 404, 429],
  statusIn,
  unpaid: {
    words: /credit balance|spend(ing)?[ _](limit|cap)|usage limits/i,
    code: 'provider-failed',
    hint: 'See credits and limits at https://platform.claude.com/settings/billing',
  },
};

/** Creates the error for an error event in a reply that began with 200 OK. */
export function fromEvent(event: object, target: ServerTarget): RlmError {
  const text = target.redact(JSON.stringify(event));
  return fromBody(text, target, statusIn(text));
}

/** Creates the error for a reply that ended incomplete. */
export function unfinished({ model }: ServerTarget, what: string): RlmError {
  return new RlmError('provider-failed', `${model} ${what}`, {
    hint: 'Rephrase the question, or choose another model with --model.',
  });
}

export function unusableKey({ display, model }: ServerTarget, key: string | null): RlmError {
  const what = key === null ? 'is not set' : 'contains characters that no key has';
  return new RlmError('credentials-refused', `ANTHROPIC_API_KEY ${what}, and ${display} needs a key for ${model}`, {
    hint: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys',
  });
}
