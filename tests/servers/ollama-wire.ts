/** Sends a chat reply as one JSON object per line. */
import type { ServerResponse } from 'node:http';
import { type Fault, isFault } from './faults.ts';
import { drip, pieces, textOf, writeInPieces } from './http-wire.ts';

export interface WireOptions {
  readonly model: string;
  /** The reported tokens of the prompt. */
  readonly tokens: number;
  readonly pieceLength: number;
  readonly bytesPerWrite: number;
  /** Whether each piece has a probability, like a token. */
  readonly logprobs: boolean;
}

const stamp = () => new Date().toISOString();

const line = (value: object) => `${JSON.stringify(value)}\n`;

function part(model: string, message: object, beside: object = {}): string {
  const said = { role: 'assistant', content: '', ...message };
  return line({ model, created_at: stamp(), message: said, done: false, ...beside });
}

/** A token without likely alternatives. */
function certain(token: string): object {
  const likely = { token, logprob: -0.1, bytes: [...Buffer.from(token)] };
  return { ...likely, top_logprobs: [likely] };
}

function doneLine({ model, tokens }: WireOptions, reason: string, text: string): string {
  return line({
    model,
    created_at: stamp(),
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: reason,
    total_duration: 1_000_000,
    load_duration: 1,
    prompt_eval_count: tokens,
    prompt_eval_duration: 1,
    // A count of 0 is left out, as by Go's `omitempty`.
    ...(text === '' ? {} : { eval_count: Math.ceil(text.length / 4), eval_duration: 1 }),
  });
}

async function endWrongly(response: ServerResponse, fault: Fault, done: string, more: () => void): Promise<void> {
  if (fault.kind === 'stallMidStream') return;
  if (fault.kind === 'endlessAfterDone') {
    response.write(done);
  } else if (fault.kind === 'cutMidLine') {
    response.write('{"model":"x","created_at":"20');
    setImmediate(() => response.socket?.destroy());
  } else if (fault.kind === 'garbageLine') {
    response.write('this is \u0000 not JSON\n');
    more();
    response.end(done);
  } else if (fault.kind === 'errorMidStream') {
    response.end(line({ error: fault.error }));
  } else {
    response.end();
  }
}

const endsWell = new Set(['lengthLimit', 'thinking', 'drip', 'parts']);

const reasonOf = (fault: Fault | null): string =>
  fault?.kind === 'lengthLimit' ? 'length' : fault?.kind === 'parts' ? fault.reason : 'stop';

/** The parts before the text. */
function linesBefore(model: string, fault: Fault | null): string[] {
  if (fault?.kind === 'thinking') return [part(model, { thinking: fault.thinking })];
  return fault?.kind === 'parts' ? fault.parts.map(({ message, beside }) => part(model, message, beside)) : [];
}

/** Streams a reply, or a fault that begins with 200 OK. */
export async function sendChat(response: ServerResponse, reply: string | object | Fault, options: WireOptions) {
  const { model, pieceLength, bytesPerWrite } = options;
  const fault = isFault(reply) ? reply : null;
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  if (fault?.kind === 'errorWith200') {
    response.end(JSON.stringify({ error: fault.error }));
    return;
  }
  const text = textOf(reply);
  const besides = (content: string) => (options.logprobs ? { logprobs: [certain(content)] } : {});
  const lines = pieces(text, pieceLength).map((content) => part(model, { content }, besides(content)));
  const before = linesBefore(model, fault);
  const send = () => {
    for (const each of [...before, ...lines]) writeInPieces(response, each, bytesPerWrite);
  };
  const done = doneLine(options, reasonOf(fault), text);
  if (fault?.kind === 'drip') await drip(response, lines, fault.everyMs);
  else send();
  if (fault !== null && !endsWell.has(fault.kind)) return endWrongly(response, fault, done, send);
  writeInPieces(response, done, bytesPerWrite);
  response.end();
}
