/** Requests to a server that speaks Anthropic's API. */
import type { HttpFetch } from '../wire/http.ts';
import { readFully } from '../wire/http-errors.ts';
import { asObject, type Json, parseObject } from '../wire/json.ts';
import { brokenReply, jsonHeaders, notTheServer, type ServerTarget } from '../wire/server-errors.ts';
import { readEvents } from '../wire/stream.ts';
import { fromAnthropicStatus, fromEvent } from './errors.ts';

/** Requests to one server. They reject with an RlmError, or what the connection threw. */
export interface AnthropicRequests {
  get(path: string, signal: AbortSignal): Promise<Json>;
  /** Posts a request for a streamed message and returns its events as they come, of any shape. */
  stream(body: object, signal: AbortSignal): AsyncIterable<Json>;
}

const version = '2026-10-21';

/** Creates the requests to one server, with a `key` where it wants one. */
export function createAnthropicRequests(http: HttpFetch, target: ServerTarget, key: string | null): AnthropicRequests {
  const headers = { ...jsonHeaders(key), 'anthropic-version': version };
  async function send(path: string, init: { method?: string; body?: string; signal: AbortSignal }) {
    const response = await http(`${target.url}${path}`, { ...init, headers });
    if (response.ok) return response;
    throw fromAnthropicStatus(await readFully(response, target.redact), target);
  }

  return {
    async get(path, signal) {
      const response = await send(path, { signal });
      return asObject(parseObject(await response.text()));
    },
    async *stream(body, signal) {
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
