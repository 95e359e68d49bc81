import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A server on a free port of the loopback address. */
export interface LocalServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  openSockets(): number;
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

/** Starts a server. If a handler fails, the connection of its request is closed. */
export async function startLocalServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Go's server, which Ollama uses, keeps idle connections. Node's closes them after 5 s, in the middle of a benchmark.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openSockets: () => sockets.size,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
