import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpFetch } from '../../../src/providers/wire/http.ts';

let server: Server | null = null;

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sockets = () => new Promise<number>((resolve) => server!.getConnections((_error, count) => resolve(count)));

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

describe('createHttpFetch', () => {
  test('sends method, headers and body, and reads status, headers and JSON', async () => {
    const host = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      response.writeHead(201, { 'X-Kind': 'echo' });
      const body = Buffer.concat(chunks).toString();
      response.end(JSON.stringify({ method, url, type: headers['content-type'], body }));
    });
    const init = { method: 'POST', headers: { 'Content-Type': 'text/x' }, body: 'käse' };
    const response = await createHttpFetch()(`http://${host}/a?b=1`, init);
    expect([response.ok, response.status]).toEqual([true, 201]);
    expect([response.headers.get('x-kind'), response.headers.get('x-none')]).toEqual(['echo', null]);
    expect(JSON.parse(await response.text())).toEqual({ method: 'POST', url: '/a?b=1', type: 'text/x', body: 'käse' });
  });

  test('keeps characters that arrive in two chunks, as text and as a stream', async () => {
    const bytes = Buffer.from('a – ü 漢字 🙂');
    const host = await serve((_request, response) => {
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    const http = createHttpFetch();
    expect(await (await http(`http://${host}/`)).text()).toBe('a – ü 漢字 🙂');
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of (await http(`http://${host}/`)).chunks()) text += decoder.decode(chunk, { stream: true });
    expect(text).toBe('a – ü 漢字 🙂');
  });

  test('uses a connection again', async () => {
    const host = await serve((_request, response) => response.end('x'));
    const http = createHttpFetch();
    for (let count = 0; count < 5; count++) await (await http(`http://${host}/`)).text();
    expect(await sockets()).toBe(1);
  });

  test('turns a user and a password into a header and excludes them from errors', async () => {
    const host = await serve((request, response) => response.end(request.headers.authorization));
    const http = createHttpFetch();
    const expected = `Basic ${Buffer.from('me:s3:cret').toString('base64')}`;
    expect(await (await http(`http://me:s3%3Acret@${host}/`)).text()).toBe(expected);
    for (const url of ['http://me:s3cret@127.0.0.1:1/', 'http://me:s3cret@:x/', 'ftp://me:s3cret@host/']) {
      const error: unknown = await http(url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain('s3cret');
    }
  });

  test('follows no redirect, and refuses one to another host', async () => {
    const host = await serve(({ url }, response) => {
      const location = url === '/away' ? 'http://127.0.0.2:1/elsewhere' : '/there';
      response.writeHead(307, { location }).end();
    });
    const http = createHttpFetch();
    expect((await http(`http://${host}/here`)).status).toBe(307);
    await expect(http(`http://${host}/away`)).rejects.toMatchObject({ code: 'EREDIRECT', message: /127\.0\.0\.2:1/ });
  });

  test('an abort rejects with its reason and closes the connection, before and after the headers', async () => {
    const host = await serve(({ url }, response) => {
      if (url === '/some') response.write('begin');
    });
    const http = createHttpFetch();
    const reason = new Error('enough');
    for (const path of ['/none', '/some']) {
      const controller = new AbortController();
      const work = http(`http://${host}${path}`, { signal: controller.signal }).then((response) => response.text());
      setTimeout(() => controller.abort(reason), 50);
      await expect(work).rejects.toBe(reason);
      expect(await until(async () => (await sockets()) === 0)).toBe(true);
    }
    await expect(http(`http://${host}/`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('one signal serves many requests without a warning', async () => {
    const host = await serve((_request, response) => setTimeout(() => response.end('x'), 20));
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    const http = createHttpFetch();
    const calls = Array.from({ length: 40 }, async () => (await http(`http://${host}/`, { signal })).text());
    expect(await Promise.all(calls)).toHaveLength(40);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('describes a connection failure by its code', async () => {
    const http = createHttpFetch();
    await expect(http('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const host = await serve((request) => request.socket.resetAndDestroy());
    await expect(http(`http://${host}/`)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const ssh = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n'));
    await new Promise<void>((resolve) => ssh.listen(0, '127.0.0.1', resolve));
    const { port } = ssh.address() as AddressInfo;
    await expect(http(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: /^HPE_/ });
    ssh.close();
  });

  test('reports a body that breaks off as an error', async () => {
    const host = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const response = await createHttpFetch()(`http://${host}/`);
    await expect(response.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('releases a body that is not read', async () => {
    const host = await serve((_request, response) => {
      response.write('begin');
    });
    for await (const chunk of (await createHttpFetch()(`http://${host}/`)).chunks()) {
      expect(chunk.length).toBe(5);
      break;
    }
    expect(await until(async () => (await sockets()) === 0)).toBe(true);
  });

  test('waits for the first byte without a limit: no timeout is set on any socket, reused or not', async () => {
    const begun: ClientRequest[] = [];
    const onStart = (message: unknown) => begun.push((message as { request: ClientRequest }).request);
    subscribe('http.client.request.start', onStart);
    let answer: (() => void) | null = null;
    const host = await serve((_request, response) => {
      response.setHeader('keep-alive', 'timeout=7');
      answer = () => response.end('at last');
    });
    const http = createHttpFetch();
    for (let round = 1; round <= 2; round++) {
      const response = http(`http://${host}/`);
      await until(async () => answer !== null);
      const { socket, timeout } = begun.at(-1)! as ClientRequest & { timeout?: number };
      expect([socket!.timeout ?? 0, timeout ?? 0]).toEqual([0, 0]);
      answer!();
      answer = null;
      expect(await (await response).text()).toBe('at last');
    }
    expect(begun[1]!.reusedSocket).toBe(true);
    unsubscribe('http.client.request.start', onStart);
  });

  test('does not load the built-in fetch and lets the process end with an idle connection', () => {
    const program = `
      import { createServer } from 'node:http';
      import { createHttpFetch } from './src/providers/wire/http.ts';
      for (const name of ['fetch', 'Headers', 'Request', 'Response']) {
        Object.defineProperty(globalThis, name, { get() { throw new Error(name + ' was touched'); } });
      }
      const server = createServer((request, response) => response.end('fine'));
      server.listen(0, '127.0.0.1', async () => {
        const { port } = server.address();
        console.log(await (await createHttpFetch()('http://127.0.0.1:' + port)).text());
        server.unref();
        server.on('connection', () => {});
      });
      server.on('connection', (socket) => socket.unref());
    `;
    const args = ['--import', 'tsx', '--input-type=module', '-e', program];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 });
    expect([stdout, stderr, status]).toEqual(['fine\n', '', 0]);
  });
});
