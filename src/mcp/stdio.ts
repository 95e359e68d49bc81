import { type Readable, Transform } from 'node:stream';
import { StdioServerTransport, serveStdio } from './protocol.ts';
import { createServer } from './server.ts';
import { openWorld, type ServerOptions } from './world.ts';

/** The largest message, in bytes: content may be 64 MB of text, and JSON escapes make it longer. */
const largestMessage = 160 * 1024 * 1024;
const lineFeed = 0x0a;

/** The lines of a message buffer that are not empty. */
const linesIn = (whole: Buffer): string[] =>
  whole
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const notJson = { code: -32_700, message: 'Parse error: the line is not JSON' };

/**
 * Passes on whole lines only. The library copies its whole buffer for each chunk that arrives, which takes quadratic
 * time for a large message.
 * @param refuse called for each line that is not JSON, which the library drops without a reply.
 */
function wholeLines(input: Readable, refuse: () => void): Readable {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (): Buffer => {
    const whole = Buffer.concat(parts);
    [parts, bytes] = [[], 0];
    for (const line of linesIn(whole)) if (!isJson(line)) refuse();
    return whole;
  };
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      parts.push(chunk);
      bytes += chunk.length;
      // An oversized message is passed on, too: the library reports it and ends the connection.
      done(null, chunk.includes(lineFeed) || bytes > largestMessage ? take() : undefined);
    },
    flush: (done) => done(null, take()),
  });
  return input.pipe(lines);
}

/**
 * Serves one client over stdin and stdout until it closes stdin or the signal aborts.
 * @param onError called with errors that occur outside a request.
 * @throws RlmError like `openWorld`.
 */
export async function serveOverStdio(
  options: ServerOptions,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  const world = await openWorld(options);
  const refuse = () => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: notJson })}\n`);
  const transport = new StdioServerTransport(wholeLines(process.stdin, refuse), process.stdout, {
    maxBufferSize: largestMessage,
  });
  const handle = serveStdio(() => createServer(world), {
    transport,
    onerror: onError,
  });
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', () => resolve()); // The client has closed its end.
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  await world.close();
}
