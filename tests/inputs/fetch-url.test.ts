import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkUrl, readUrl } from '../../src/inputs/fetch-url.ts';
import { shownUrl } from '../../src/inputs/urls.ts';
import { createPdf } from '../support/packed-files.ts';
import { createReading } from '../support/readings.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface More {
  readonly allowed?: boolean;
  readonly maxBytes?: number;
  readonly readTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

async function read(url: string, more: More = {}) {
  const { allowed = true, ...terms } = more;
  const { reading, texts } = createReading(terms);
  const { skipped } = await readUrl(checkUrl(url, allowed), reading);
  return { texts: texts(), skipped };
}

describe('an address', () => {
  it.each([
    ['/notes.txt', 'the pool', 'the pool'],
    ['/', '<!doctype html><html><body>the pool</body></html>', 'the pool\n'],
    ['/a.pdf', createPdf(['the pool']), '[page 1]\nthe pool\n'],
    ['/a.log.gz', gzipSync('the pool'), 'the pool'],
  ])('is read as the content of %s', async (path, content, text) => {
    const host = await serve((_, response) => response.end(content));
    expect(await read(host + path)).toEqual({ texts: [[host + path, text]], skipped: [] });
  });

  it.each([
    ['/index.php', '\ufeff\n<!DOCTYPE html><body>the pool</body>', 'the pool\n'],
    ['/wiki/Node.js', '<p>the pool</p>', 'the pool\n'],
    ['/export.php', 'id,size\n1,<2', 'id,size\n1,<2'],
  ])('of a page that is served as HTML is read as a page, even if it ends like %s', async (path, content, text) => {
    const host = await serve((_, response) =>
      response.setHeader('content-type', 'Text/HTML; charset=utf-8').end(content),
    );
    expect((await read(host + path)).texts).toEqual([[host + path, text]]);
  });

  it('of binary content is skipped', async () => {
    const host = await serve((_, response) => response.end(Buffer.alloc(1000)));
    expect((await read(`${host}/x`)).skipped).toEqual([{ name: `${host}/x`, reason: 'binary' }]);
  });

  it('is not requested if that is not allowed', async () => {
    const asked: unknown[] = [];
    const host = await serve((request, response) => response.end(asked.push(request.url)));
    const refused = read(`${host}/x`, { allowed: false });
    await expect(refused).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('--allow-urls') });
    expect(asked).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'data://x', 'http://'])('%s is refused', async (url) => {
    await expect(read(url)).rejects.toMatchObject({ code: 'usage' });
  });

  it('with a password is refused without showing it', async () => {
    const error = await read('http://me:hunter2@127.0.0.1:1/x?token=t0ps').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining("'http://127.0.0.1:1/x?…'") });
    expect(JSON.stringify(error) + String(error)).not.toMatch(/hunter2|t0ps/);
  });

  it('that redirects on its host is followed, but not to another host', async () => {
    const other = await serve((_, response) => response.end('other'));
    const elsewhere = other.replace('127.0.0.1', 'localhost');
    const targets: Record<string, string> = {
      '/here': '/text?secret=1',
      '/there': `${elsewhere}/`,
      '/file': 'file:///etc/passwd',
    };
    const host = await serve((request, response) => {
      const location = targets[request.url ?? ''];
      if (location === undefined) response.end('the pool');
      else response.writeHead(302, { location }).end();
    });
    expect((await read(`${host}/here`)).texts).toEqual([[`${host}/here`, 'the pool']]);
    for (const path of ['/there', '/file']) await expect(read(host + path)).rejects.toMatchObject({ code: 'usage' });
  });

  it('that redirects to itself is abandoned', async () => {
    const host = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    await expect(read(`${host}/`)).rejects.toMatchObject({ code: 'input-unreadable' });
  });

  it('that is missing is an error that says so', async () => {
    const host = await serve((_, response) => response.writeHead(404).end('no'));
    await expect(read(`${host}/x?key=t0ps`)).rejects.toMatchObject({
      code: 'input-unreadable',
      message: `cannot read '${host}/x?…': HTTP 404`,
    });
    await expect(read('http://127.0.0.1:1/x')).rejects.toMatchObject({ code: 'input-unreadable' });
  });

  it('that never ends is bounded in size and in time', async () => {
    const endless = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.once('close', () => clearInterval(timer));
    });
    await expect(read(endless, { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'input-too-large' });
    const silent = await serve((_, response) => void response.write('x'));
    await expect(read(silent, { readTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'input-unreadable',
      message: expect.stringContaining('inputs.readTimeout'),
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(read(silent, { signal: stop.signal })).rejects.toThrow('enough');
  });
});

describe('a shown address', () => {
  it.each([
    ['https://a.example/b/c.html', 'https://a.example/b/c.html'],
    ['https://me:pw@a.example:8443/b?key=1#part', 'https://a.example:8443/b?…'],
    ['https://me:pw@[broken/b?key=1', 'https://[broken/b'],
  ])('%s is %s', (given, shown) => expect(shownUrl(given)).toBe(shown));
});
