import { createParser } from 'eventsource-parser';
import { RlmError } from '../../errors.ts';
import { BrokenReply } from '../broken-reply.ts';
import type { HttpResponse } from './http.ts';

const maxReplyBytes = 64 * 1024 * 1024;

/** Creates an error that is not transient, because the reply to a retry would be as long. */
const replyTooLarge = (display: string): RlmError =>
  new RlmError('provider-failed', `the reply of ${display} is longer than ${maxReplyBytes} bytes and was aborted`, {
    hint: 'The server ignores the limit of a reply (reply.maxTokens). See its log, or use another model (--model).',
    cause: new BrokenReply(null),
  });

/** Yields the data of each server-sent event, or the whole body if it begins like JSON or HTML. */
export async function* readEvents(response: HttpResponse, display: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  let begun = '';
  let isStream: boolean | null = null;
  let bytes = 0;
  const take = (text: string): void => {
    begun += text;
    if (isStream === null && begun.trim() !== '') isStream = !/^\s*[{[<]/.test(begun);
    if (isStream !== true) return;
    parser.feed(begun);
    begun = '';
  };
  for await (const chunk of response.chunks()) {
    bytes += chunk.length;
    if (bytes > maxReplyBytes) throw replyTooLarge(display);
    take(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
  take(decoder.decode());
  if (isStream === false) events.push(begun);
  // Some servers send no blank line after the last event.
  else if (isStream === true) parser.feed('\n\n');
  yield* events;
}

/**
 * Yields the non-blank lines of a body, and whether each line is complete.
 * @param limitsLinesOnly whether the body may have any size. The size limit then applies only to the unfinished line.
 */
export async function* readStreamLines(
  response: HttpResponse,
  display: string,
  limitsLinesOnly = false,
): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const chunk of response.chunks()) {
    bytes = chunk.length + (limitsLinesOnly ? rest.length : bytes);
    if (bytes > maxReplyBytes) throw replyTooLarge(display);
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    parts[0] = rest + parts[0];
    rest = parts.pop() ?? '';
    for (const line of parts) if (line.trim() !== '') yield { line, isWhole: true };
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { line: rest, isWhole: false };
}
