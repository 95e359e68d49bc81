import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';

/** Counts actions of this process that a run with a scripted model does not need. */
export interface ProcessWatch {
  /** A local port. Connections to it are counted, also those of other threads. */
  readonly port: number;
  /** Returns the number of outgoing connections, name look-ups and packets, and of incoming connections. */
  connections(): number;
  /** Returns the number of started programs. */
  programs(): number;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: any function may be counted.
type Countable = (...given: any[]) => unknown;

/** Calls `onCall` for each call of a method. Returns the function that restores the method. */
function countCalls(owner: object, name: string, onCall: () => void): () => void {
  const methods = owner as Record<string, Countable>;
  const method = methods[name]!;
  methods[name] = function counted(this: unknown, ...given: unknown[]) {
    onCall();
    return method.apply(this, given);
  };
  return () => {
    methods[name] = method;
  };
}

/** Connects once, which the watch must count. */
async function connectOnce(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'close');
}

/**
 * Watches this process. Makes a connection to test itself.
 * @throws Error if that connection was not counted.
 */
export async function watchProcess(): Promise<ProcessWatch> {
  let [connections, programs] = [0, 0];
  const connected = () => {
    connections += 1;
  };
  const server = createServer((socket) => {
    connected();
    socket.on('error', () => {}).destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const giveBack = [
    countCalls(Socket.prototype, 'connect', connected),
    countCalls(DatagramSocket.prototype, 'send', connected),
    countCalls(dns, 'lookup', connected),
    countCalls(dns.promises, 'lookup', connected),
    countCalls(ChildProcess.prototype, 'spawn', () => {
      programs += 1;
    }),
  ];
  syncBuiltinESMExports();
  await connectOnce(port);
  if (connections < 2) throw new Error('a connection was not noticed');
  connections = 0;
  return {
    port,
    connections: () => connections,
    programs: () => programs,
    async stop() {
      for (const give of giveBack) give();
      syncBuiltinESMExports();
      server.close();
      await once(server, 'close');
    },
  };
}
