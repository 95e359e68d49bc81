/** A local server of one file, with the features and faults of real servers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServerOptions {
  readonly file: Buffer;
  /** Whether it sends the requested range of the file; default: yes. */
  readonly ranges?: boolean;
  /** Bytes after which the connection of each request breaks. Further requests are served completely. */
  readonly breaks?: readonly number[];
  /** The ETag of the file; null: none. Default: a fixed one. */
  readonly tag?: string | null;
  /** The checksum that it reports before it redirects to the file. Without it, the server sends the file directly. */
  readonly sum?: string;
  /** Whether the size is reported with the checksum, instead of with the file. */
  readonly sizeWithSum?: boolean;
  /** The target of its redirects, for every request. */
  readonly leadsTo?: string;
  /** Answers every request with this status. */
  readonly status?: number;
}

export interface FileServer {
  readonly url: string;
  /** The `range` of each request for the file; null for a request for the whole file. */
  readonly ranges: readonly (string | null)[];
  close(): Promise<void>;
}

/** Starts the server on a free port of the loopback address. */
export async function startFileServer(options: FileServerOptions): Promise<FileServer> {
  const { file, tag = '"one"', breaks = [] } = options;
  const asked: (string | null)[] = [];

  function sendFile(range: string | null, response: ServerResponse): void {
    const left = breaks[asked.push(range) - 1];
    const start = options.ranges === false ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (start >= file.length) return void response.writeHead(416).end();
    const body = file.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      ...(options.sizeWithSum !== true && { 'content-length': body.length }),
      ...(tag !== null && { etag: tag }),
      ...(start > 0 && { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` }),
    });
    if (left === undefined) response.end(body);
    else response.write(body.subarray(0, left), () => response.destroy());
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { leadsTo, sum, status } = options;
    if (status !== undefined) return void response.writeHead(status).end();
    if (leadsTo !== undefined) return void response.writeHead(302, { location: leadsTo }).end();
    if (sum !== undefined && !request.url?.startsWith('/kept/')) {
      const size = options.sizeWithSum === true ? { 'x-linked-size': file.length } : {};
      response.writeHead(302, { location: `/kept${request.url}`, 'x-linked-etag': `"${sum}"`, ...size }).end();
      return;
    }
    sendFile(request.headers.range ?? null, response);
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges: asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
