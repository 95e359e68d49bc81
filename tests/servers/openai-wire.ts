/** Sends a chat reply as server-sent events, as in the API reference ("Streaming"). */
import type { ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';
import { drip, pieces, textOf, writeInPieces } from './http-wire.ts';

export interface OpenAiWireOptions {
  readonly model: string;
  /** The tokens of the prompt that are reported on request; null: never reported. */
  readonly tokens: number | null;
  /** The reported tokens of a reply. Default: one for every 4 characters. */
  readonly replyTokens?: number;
  readonly pieceLength: number;
  readonly bytesPerWrite: number;
}

const event = (value: object | string) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

function part(model: string, delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices });
}

function usagePart({ model, tokens, replyTokens }: OpenAiWireOptions, text: string): string {
  const output = replyTokens ?? Math.ceil(text.length / 4);
  const usage = { prompt_tokens: tokens, completion_tokens: output, total_tokens: (tokens ?? 0) + output };
  return event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices: [], usage });
}

function endWrongly(response: ServerResponse, fault: Fault, end: string): void {
  if (fault.kind === 'stallMidStream') return;
  if (fault.kind === 'endlessAfterDone') {
    response.write(end);
  } else if (fault.kind === 'cutMidLine') {
    response.write('data: {"id":"chatcmpl-1","obj');
    setImmediate(() => response.socket?.destroy());
  } else if (fault.kind === 'garbageLine') {
    response.end(`data: this is \u0000 not JSON\n\n${end}`);
  } else if (fault.kind === 'errorMidStream') {
    response.end(event({ error: { message: fault.error, type: 'server_error', param: null, code: null } }));
  } else {
    response.end();
  }
}

const endsWell = new Set(['lengthLimit', 'thinking', 'drip']);

/** Streams a reply, or a fault that begins with 200 OK. */
export async function streamReply(
  response: ServerResponse,
  reply: string | object | Fault,
  options: OpenAiWireOptions,
) {
  const { model, pieceLength, bytesPerWrite } = options;
  const fault = isFault(reply) ? reply : null;
  if (fault?.kind === 'errorWith200') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ error: fault.error }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const text = textOf(reply);
  const thinking = fault?.kind === 'thinking' ? [part(model, { reasoning_content: fault.thinking })] : [];
  const events = [
    part(model, { role: 'assistant', content: '' }),
    ...thinking,
    ...pieces(text, pieceLength).map((content) => part(model, { content })),
  ];
  const finish = part(model, {}, fault?.kind === 'lengthLimit' ? 'length' : 'stop');
  const end = finish + (options.tokens === null ? '' : usagePart(options, text)) + event('[DONE]');
  if (fault?.kind === 'drip') await drip(response, events, fault.everyMs);
  else writeInPieces(response, events.join(''), bytesPerWrite);
  if (fault !== null && !endsWell.has(fault.kind)) return endWrongly(response, fault, end);
  writeInPieces(response, end, bytesPerWrite);
  response.end();
}
