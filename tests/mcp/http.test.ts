import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createEndpoint } from '../../src/mcp/http.ts';

it.each(['//', '//[', 'http://['])('answers a request for %s, which is not a path of a URL', async (target) => {
  const create = () => {
    throw new Error('no request is accepted');
  };
  const { answer } = createEndpoint(create, null, () => {});
  const server = createHttpServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 [\s\S]*the endpoint is \/mcp/);
  } finally {
    server.close();
  }
});
