import { type Readable, Transform } from 'node:stream';
import { untilAborted } from '../base/abort.ts';
import { RlmError } from '../errors.ts';
import { parseJSONRPCMessage, StdioServerTransport, serveStdio } from './protocol.ts';
import { createServer } from './server.ts';
import { endSoon, largestMessage, openWorld, type ServerOptions } from './world.ts';

const lineFeed = 0x0a;

const notJson = { code: -32_700, message: 'Parse error: the line is not JSON' };
const noMessage = { code: -32_600, message: 'Invalid Request: the line is not a message of JSON-RPC 2.0' };
const wrongParams = { code: -32_602, message: 'Invalid params: params or params._meta is not an object' };
const tooLarge = { code: -32_600, message: 'Invalid Request: the line is larger than 160 MB' };

/** The id is null when the line has no usable id. */
type Refusal = { readonly id: string | number | null; readonly error: typeof notJson };

const isMessage = (value: unknown): boolean => {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    return false;
  }
};

/** Returns the error for an invalid line, which the library would ignore. Null for a valid message. */
function refusalOf(line: string): Refusal | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: null, error: notJson };
  }
  if (isMessage(value)) return null;
  const { params, ...rest } = Object(value) as Readonly<Record<string, unknown>>;
  const { id, method } = rest;
  const isAnswerable = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
  return { id: isAnswerable ? id : null, error: params !== undefined && isMessage(rest) ? wrongParams : noMessage };
}

function messagesIn(whole: Buffer, refuse: (refusal: Refusal) => void): Buffer {
  const lines = whole.toString('utf8').split('\n');
  const judged = lines.filter((line) => line.trim() !== '').map((line) => ({ line, refusal: refusalOf(line) }));
  for (const { refusal } of judged) if (refusal !== null) refuse(refusal);
  const kept = judged.filter(({ refusal }) => refusal === null);
  return kept.length === judged.length ? whole : Buffer.from(kept.map(({ line }) => `${line}\n`).join(''));
}

/**
 * Passes on whole lines only. For each part of a line, the protocol library would copy its whole buffer, which takes
 * quadratic time for a large message.
 */
function wholeLines(input: Readable, refuse: (refusal: Refusal) => void): Readable {
  let parts: Buffer[] = [];
  let bytes = 0;
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      const end = chunk.lastIndexOf(lineFeed) + 1;
      const whole = end === 0 ? [] : [...parts, chunk.subarray(0, end)];
      parts = end === 0 ? [...parts, chunk] : [chunk.subarray(end)];
      bytes = end === 0 ? bytes + chunk.length : chunk.length - end;
      if (bytes > largestMessage) {
        parts = [];
        refuse({ id: null, error: tooLarge });
      }
      done(null, end === 0 ? undefined : messagesIn(Buffer.concat(whole), refuse));
    },
    flush: (done) => done(null, messagesIn(Buffer.concat(parts), refuse)),
  });
  return input.pipe(lines);
}

/**
 * Serves one client until the client closes stdin or stdout. `onError` is called with errors outside a request.
 * @throws the signal's reason; RlmError `input-too-large` after a line of more than 160 MB; the errors of `openWorld`.
 */
export async function serveOverStdio(
  options: ServerOptions,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  const world = await openWorld(options);
  // Each unread answer adds a listener to stdout, and Node would warn about more than ten listeners.
  process.stdout.setMaxListeners(0);
  const flooded = new AbortController();
  const refuse = (refusal: Refusal) => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...refusal })}\n`);
    if (refusal.error !== tooLarge) onError(new Error(refusal.error.message));
    else flooded.abort(new RlmError('input-too-large', 'the client sent a line that is larger than 160 MB'));
  };
  const transport = new StdioServerTransport(wholeLines(process.stdin, refuse), process.stdout, {
    maxBufferSize: largestMessage,
  });
  const handle = serveStdio(() => createServer(world), { transport, onerror: onError });
  const clientGone = new Promise<unknown>((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, resolve);
    process.stdout.once('error', resolve);
  });
  try {
    await untilAborted(clientGone, AbortSignal.any([signal, flooded.signal]));
  } finally {
    endSoon(signal);
    process.stdin.destroy(); // Otherwise a client that keeps stdin open keeps the process alive.
    await handle.close();
    await world.close();
  }
}
