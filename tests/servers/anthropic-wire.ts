/**
 * Sends a message as server-sent events, with the names of Anthropic's API reference, "Streaming messages".
 */
import type { ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';
import { drip, pieces, textOf, writeInPieces } from './http-wire.ts';

/** A block of a message. */
export type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly json: string };

const tag = Symbol('said');

/** A message that is given block by block, not as a text. */
export interface Said {
  readonly [tag]: true;
  readonly blocks: readonly WireBlock[];
  readonly stopReason: string | null;
  readonly stopDetails: object | null;
  /** Further counts besides `input_tokens` and `output_tokens`. */
  readonly usage: object;
}

export const said = (blocks: readonly WireBlock[], more: Partial<Omit<Said, typeof tag>> = {}): Said => ({
  stopReason: blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
  stopDetails: null,
  usage: {},
  ...more,
  blocks,
  [tag]: true,
});

export const isSaid = (reply: unknown): reply is Said => typeof reply === 'object' && reply !== null && tag in reply;

export interface WireOptions {
  readonly model: string;
  /** The reported tokens of the prompt. */
  readonly tokens: number;
  readonly pieceLength: number;
  readonly bytesPerWrite: number;
  /** Ends the response after this many bytes; null: at its end. */
  readonly endsAfter: number | null;
}

const event = (data: { readonly type: string; readonly [more: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

function startOf({ model, tokens }: WireOptions, usage: object): string {
  const counts = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'msg_01', type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  return event({ type: 'message_start', message: { ...message, stop_sequence: null, usage: { ...counts, ...usage } } });
}

function blockEvents(block: WireBlock, index: number, pieceLength: number): string[] {
  const begin = (content_block: object) => event({ type: 'content_block_start', index, content_block });
  const delta = (given: object) => event({ type: 'content_block_delta', index, delta: given });
  const stop = event({ type: 'content_block_stop', index });
  if (block.type === 'text') {
    const deltas = pieces(block.text, pieceLength).map((text) => delta({ type: 'text_delta', text }));
    return [begin({ type: 'text', text: '' }), event({ type: 'ping' }), ...deltas, stop];
  }
  if (block.type === 'thinking') {
    const deltas = pieces(block.thinking, pieceLength).map((thinking) => delta({ type: 'thinking_delta', thinking }));
    const signed = delta({ type: 'signature_delta', signature: 'EqQBCg' });
    return [begin({ type: 'thinking', thinking: '', signature: '' }), ...deltas, signed, stop];
  }
  const deltas = pieces(block.json, pieceLength).map((partial_json) =>
    delta({ type: 'input_json_delta', partial_json }),
  );
  const { id, name } = block;
  return [
    begin({ type: 'tool_use', id, name, input: {} }),
    delta({ type: 'input_json_delta', partial_json: '' }),
    ...deltas,
    stop,
  ];
}

function endOf({ blocks, stopReason, stopDetails }: Said): string[] {
  const characters = JSON.stringify(blocks.map((block) => Object.values(block).slice(1))).length;
  const delta = { stop_reason: stopReason, stop_sequence: null, stop_details: stopDetails };
  const usage = { output_tokens: Math.ceil(characters / 4) };
  return [event({ type: 'message_delta', delta, usage }), event({ type: 'message_stop' })];
}

/** Returns all events of a message. */
const eventsOf = (message: Said, options: WireOptions): string[] => [
  startOf(options, message.usage),
  ...message.blocks.flatMap((block, index) => blockEvents(block, index, options.pieceLength)),
  ...endOf(message),
];

const errorEvent = (error: string | object): string =>
  event({
    type: 'error',
    error: typeof error === 'string' ? { type: 'api_error', message: error } : error,
  });

function sendFault(response: ServerResponse, fault: Fault, options: WireOptions): void {
  const text = textOf(fault);
  const events = eventsOf(said([{ type: 'text', text }]), options);
  // The end of the block and of the message are missing.
  const begun = events.slice(0, -3).join('');
  switch (fault.kind) {
    case 'stallMidStream':
      response.write(begun);
      return;
    case 'cutMidLine':
      response.write(`${begun}event: content_block_delta\ndata: {"type":"content_bl`, () => response.destroy());
      return;
    case 'noDone':
      response.end(begun);
      return;
    case 'garbageLine':
      response.end(`${begun}event: content_block_delta\ndata: {"type": nonsense}\n\n${events.slice(-3).join('')}`);
      return;
    case 'errorWith200':
      response.end(errorEvent(fault.error));
      return;
    case 'errorMidStream':
      response.end(`${begun}${errorEvent(fault.error)}`);
      return;
    case 'endlessAfterDone':
      response.write(events.join(''));
      return;
    case 'lengthLimit':
      response.end(eventsOf(said([{ type: 'text', text }], { stopReason: 'max_tokens' }), options).join(''));
      return;
    case 'thinking': {
      const thinking = { type: 'thinking', thinking: fault.thinking } as const;
      response.end(eventsOf(said([thinking, { type: 'text', text }]), options).join(''));
      return;
    }
    case 'drip':
      void drip(response, events, fault.everyMs).then(() => response.end());
  }
}

/** Sends a message, or a fault. */
export function sendMessage(response: ServerResponse, reply: Said | Fault, options: WireOptions): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_01' });
  if (isFault(reply)) {
    sendFault(response, reply, options);
    return;
  }
  const bytes = Buffer.from(eventsOf(reply, options).join('')).subarray(0, options.endsAfter ?? undefined);
  writeInPieces(response, bytes, options.bytesPerWrite);
  response.end();
}
