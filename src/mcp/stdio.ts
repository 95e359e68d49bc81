import { type Readable, Transform } from 'node:stream';
import { untilAborted } from '../base/abort.ts';
import { parseJSONRPCMessage, StdioServerTransport, serveStdio } from './protocol.ts';
import { createServer } from './server.ts';
import { endSoon, openWorld, type ServerOptions } from './world.ts';

/** The largest message, in bytes: content may be 64 MB of text, and JSON escapes make it longer. */
const largestMessage = 160 * 1024 * 1024;
const lineFeed = 0x0a;

const notJson = { code: -32_700, message: 'Parse error: the line is not JSON' };
const noMessage = { code: -32_600, message: 'Invalid Request: the line is no message of JSON-RPC 2.0' };
type Refusal = typeof notJson;

/** Returns the error for a line that the library would discard without a reply; null for a message of JSON-RPC 2.0. */
function refusalOf(line: string): Refusal | null {
  try {
    parseJSONRPCMessage(JSON.parse(line));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? notJson : noMessage;
  }
}

/** Returns lines without those that are no messages. */
function messagesIn(whole: Buffer, refuse: (refusal: Refusal) => void): Buffer {
  const lines = whole.toString('utf8').split('\n');
  const judged = lines.filter((line) => line.trim() !== '').map((line) => ({ line, refusal: refusalOf(line) }));
  for (const { refusal } of judged) if (refusal !== null) refuse(refusal);
  const kept = judged.filter(({ refusal }) => refusal === null);
  return kept.length === judged.length ? whole : Buffer.from(kept.map(({ line }) => `${line}\n`).join(''));
}

/**
 * Passes on whole lines only, and none that is refused. The library copies its whole buffer for each chunk that
 * arrives, which takes quadratic time for a large message.
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
      // An oversized message is passed on, too: the library reports it and ends the connection.
      if (bytes > largestMessage) done(null, Buffer.concat([...whole, ...parts.splice(0)]));
      else done(null, end === 0 ? undefined : messagesIn(Buffer.concat(whole), refuse));
    },
    flush: (done) => done(null, messagesIn(Buffer.concat(parts), refuse)),
  });
  return input.pipe(lines);
}

/** Serves one client until it closes stdin or the signal aborts. `onError` gets what goes wrong outside a request. */
export async function serveOverStdio(
  options: ServerOptions,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  const world = await openWorld(options);
  // Each answer listens on stdout while the client does not read it; Node would warn from the eleventh on.
  process.stdout.setMaxListeners(0);
  const refuse = (error: Refusal) =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
  const transport = new StdioServerTransport(wholeLines(process.stdin, refuse), process.stdout, {
    maxBufferSize: largestMessage,
  });
  const handle = serveStdio(() => createServer(world), { transport, onerror: onError });
  const clientGone = new Promise((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, resolve);
    process.stdout.once('error', resolve);
  });
  await untilAborted(clientGone, signal).catch(() => {});
  endSoon();
  process.stdin.destroy(); // Reading from a client that keeps it open would keep the process alive.
  await handle.close();
  await world.close();
}
