import { StdioServerTransport, serveStdio } from './protocol.ts';
import { createServer } from './server.ts';
import { openWorld, type ServerOptions } from './world.ts';

/** The largest message, in bytes: content may be 64 MB of text, and JSON escapes make it longer. */
const largestMessage = 160 * 1024 * 1024;

/**
 * Serves one client over stdin and stdout, until it closes stdin or the signal aborts.
 * @param onError is told what goes wrong between requests.
 * @throws RlmError as `openWorld` does.
 */
export async function serveOverStdio(
  options: ServerOptions,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  const world = await openWorld(options);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: largestMessage });
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
