import { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';

/** Actions of this process that a run with its own model does not need. */
export interface ProcessWatch {
  /** A port of this machine to connect to; the connections of other threads are counted, too. */
  readonly port: number;
  /** Connections, name look-ups and packets that were started, and incoming connections. */
  connections(): number;
  /** Programs that were started. */
  programs(): number;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: any function may be counted.
type Countable = (...given: any[]) => unknown;

/** Counts the calls of a method until it is restored. */
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

/** Connects once, and expects to be noticed. */
async function connectOnce(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'close');
}

/**
 * Watches this process. It makes a connection of its own to show that it notices them.
 * @throws Error when that connection was not noticed.
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
