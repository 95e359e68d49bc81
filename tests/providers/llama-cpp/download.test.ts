import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFileAddress, mayLead, readFileAddress } from '../../../src/providers/llama-cpp/file-request.ts';
import { modelPath } from '../../../src/providers/llama-cpp/model.ts';
import { pullFile } from '../../../src/providers/llama-cpp/pull-file.ts';
import type { PullProgress } from '../../../src/providers/provider.ts';
import { type FileServerOptions, startFileServer } from '../../servers/file-server.ts';
import { errorOf } from '../../support/error-of.ts';
import { ggufFile } from '../../support/gguf-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const file = ggufFile({ 'general.architecture': 'llama', 'general.name': 'x'.repeat(300_000) });
const sum = createHash('sha256').update(file).digest('hex');

/** Creates a server, and a client that keeps its files in a separate folder. */
async function setUp(options: Partial<FileServerOptions> = {}) {
  const server = await startFileServer({ file, ...options });
  onTestFinished(() => server.close());
  const folder = join(tempFolder(), 'models');
  const progress: PullProgress[] = [];
  const pull = (changes: Partial<Parameters<typeof pullFile>[0]> = {}) =>
    pullFile({
      address: readFileAddress('hf:me/models/a/tiny.gguf', { HF_ENDPOINT: server.url }),
      folder,
      sha256: null,
      signal: new AbortController().signal,
      onProgress: (one) => progress.push(one),
      ...changes,
    });
  return { server, folder, pull, progress };
}

describe('a model file', () => {
  it('is downloaded with its progress, checked against the checksum of the server, and not requested again', async () => {
    const { server, folder, pull, progress } = await setUp({ sum });
    const pulled = await pull();
    expect(pulled).toEqual({
      path: join(folder, 'tiny.gguf'),
      name: 'tiny.gguf',
      sizeBytes: file.length,
      sha256: sum,
      checkedBy: 'server',
    });
    expect(readFileSync(pulled.path).equals(file)).toBe(true);
    expect(progress.find(({ completedBytes }) => completedBytes === file.length)).toMatchObject({
      totalBytes: file.length,
    });
    expect(await pull()).toEqual(pulled);
    expect(server.ranges).toEqual([null]);
    expect(readdirSync(folder).sort()).toEqual(['.tiny.gguf.json', 'tiny.gguf']);
    expect(modelPath('tiny.gguf', { cwd: tempFolder({ 'tiny.gguf': '' }), modelsFolder: folder })).toBe(pulled.path);
    expect(modelPath('./tiny.gguf', { cwd: '/text', modelsFolder: folder })).toBe('/text/tiny.gguf');
  });

  it("gets its size from the hub if the file's host reports none, and is incomplete before", async () => {
    const { server, pull, progress } = await setUp({ sum, sizeWithSum: true, breaks: [100_000] });
    expect(await pull()).toMatchObject({ sha256: sum, sizeBytes: file.length });
    expect(progress[0]).toMatchObject({ completedBytes: 0, totalBytes: file.length });
    expect(server.ranges).toHaveLength(2);
  });

  it('continues after a broken connection, as often as something arrives', async () => {
    const { server, pull } = await setUp({ sum, breaks: [100_000, 150_000] });
    expect(await pull()).toMatchObject({ sha256: sum });
    expect(server.ranges).toHaveLength(3);
    expect(server.ranges[0]).toBeNull();
    const [second, third] = server.ranges.slice(1).map((range) => Number(/\d+/.exec(range!)![0]));
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(second!);
  });

  it('continues after Ctrl-C with the received part, unless the file has changed', async () => {
    const stop = new AbortController();
    const { server, folder, pull } = await setUp();
    const stopped = pull({
      signal: stop.signal,
      onProgress: ({ completedBytes }) => completedBytes > 0 && stop.abort(new Error('Ctrl-C')),
    });
    await expect(stopped).rejects.toThrow('Ctrl-C');
    const part = join(folder, '.tiny.gguf.part');
    const { length } = readFileSync(join(part, 'part'));
    expect(length).toBeGreaterThan(0);
    expect(await pull()).toMatchObject({ sha256: sum, checkedBy: null });
    expect(server.ranges.at(-1)).toBe(length < file.length ? `bytes=${length}-` : null);
  });

  it.each([
    ['of another version', { tag: '"two"' }],
    ['that its server cannot tell from another one', { tag: null }],
    ['of a server that sends no parts', { ranges: false }],
  ])('%s is downloaded from its beginning', async (_, options) => {
    const { server, folder, pull } = await setUp(options);
    const part = join(folder, '.tiny.gguf.part');
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, 'part'), 'GGUF of something else');
    const url = `${server.url}/me/models/resolve/main/a/tiny.gguf`;
    writeFileSync(
      join(part, 'origin.json'),
      JSON.stringify({ url, tag: '"one"', sha256: null, totalBytes: file.length }),
    );
    expect(await pull()).toMatchObject({ sha256: sum });
  });

  it.each([
    ['shorter than what was received', { totalBytes: file.length + 100, tag: '"old"' }],
    ['of a size that no server told', { totalBytes: null, tag: '"one"' }],
  ])('%s is downloaded from its beginning', async (_, origin) => {
    const { server, folder, pull } = await setUp({ sum, sizeWithSum: true });
    const part = join(folder, '.tiny.gguf.part');
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, 'part'), file);
    const url = `${server.url}/me/models/resolve/main/a/tiny.gguf`;
    writeFileSync(join(part, 'origin.json'), JSON.stringify({ url, sha256: null, ...origin }));
    expect(await pull()).toMatchObject({ sha256: sum });
    expect(server.ranges).toEqual([`bytes=${file.length}-`, null]);
  });

  it('with a wrong checksum is deleted', async () => {
    const { folder, pull } = await setUp({ sum: 'a'.repeat(64) });
    expect(await errorOf(pull())).toMatchObject({ code: 'provider-failed', message: expect.stringContaining(sum) });
    expect(await errorOf(pull({ sha256: 'b'.repeat(64) }))).toMatchObject({ message: expect.stringContaining('bbb') });
    expect(readdirSync(folder)).toEqual([]);
    expect(await pull({ sha256: sum })).toMatchObject({ checkedBy: 'user' });
  });

  it('that exists is checked against the given checksum, and stays even if it differs', async () => {
    const { server, pull } = await setUp();
    const { path } = await pull();
    expect(await errorOf(pull({ sha256: 'b'.repeat(64) }))).toMatchObject({
      code: 'provider-failed',
      message: `tiny.gguf has the SHA-256 ${sum} and should have ${'b'.repeat(64)}`,
      hint: expect.stringContaining(path),
    });
    expect(await pull({ sha256: sum })).toMatchObject({ path, sha256: sum, checkedBy: 'user' });
    expect(server.ranges).toHaveLength(1);
    writeFileSync(path, 'changed since');
    expect(await errorOf(pull({ sha256: sum }))).toMatchObject({
      message: expect.stringContaining(`should have ${sum}`),
    });
  });

  it.each([
    ['is a page', { file: Buffer.from('<!doctype html>') }, 'model-missing', /no GGUF file at the address of/],
    ['is cut off', { file: file.subarray(0, 5_000) }, 'model-missing', /cut off/],
    ['is not there', { status: 404 }, 'model-missing', /has no such file/],
    ['wants an account', { status: 401 }, 'model-missing', /requires an account/],
    [
      'is elsewhere, in clear',
      { leadsTo: 'http://example.org/x.gguf' },
      'usage',
      /redirects to an address that is not allowed/,
    ],
  ] as const)('that %s is reported as such', async (_, options, code, message) => {
    const { folder, pull } = await setUp(options);
    expect(await errorOf(pull())).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(existsSync(join(folder, 'tiny.gguf'))).toBe(false);
  });

  it('does not replace another one', async () => {
    const { folder, pull } = await setUp();
    mkdirSync(folder);
    writeFileSync(join(folder, 'tiny.gguf'), 'mine');
    expect(await errorOf(pull())).toMatchObject({ code: 'usage' });
    expect(readFileSync(join(folder, 'tiny.gguf'), 'utf8')).toBe('mine');
  });
});

describe('an address', () => {
  const read = (text: string, env = {}) => readFileAddress(text, env);

  it('is that of a hub, of https, or of this machine', () => {
    const hub = read('hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF/q4.gguf');
    expect(hub.url.href).toBe('https://huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/main/q4.gguf');
    expect(hub.name).toBe('q4.gguf');
    expect(read('https://example.org/a/b.gguf?download=true').name).toBe('b.gguf');
    expect(read('http://127.0.0.1:8000/b.gguf').name).toBe('b.gguf');
    expect(['llama3.2:3b', 'hf.co/x/y:q4.gguf', 'a.gguf'].filter(isFileAddress)).toEqual([]);
  });

  it.each([
    'http://example.org/b.gguf',
    'http://192.168.0.2/b.gguf',
    'https://user:secret@example.org/b.gguf',
    'https://example.org/page',
    'https://example.org/.gguf',
    'https://example.org/%2e%2e%2fb.gguf',
    'hf:a/b.gguf',
    'hf:a/../b.gguf',
    'hf:a/b/../../c.gguf',
    'hf:a/b/c%2f.gguf',
    'hf:a/b/c.bin',
    'file:///b.gguf',
  ])('%s is refused', (text) => {
    expect(() => read(text)).toThrow(/cannot be downloaded/);
  });

  it('may not redirect from https to http, nor from outside into this network', () => {
    const lead = (from: string, to: string) => mayLead(new URL(from), new URL(to));
    expect(lead('https://a.org/', 'https://b.org/')).toBe(true);
    expect(lead('http://127.0.0.1/', 'http://127.0.0.1:1/')).toBe(true);
    expect(lead('https://a.org/', 'http://a.org/')).toBe(false);
    expect(lead('https://a.org/', 'http://127.0.0.1/')).toBe(false);
    expect(lead('https://a.org/', 'https://10.0.0.1/')).toBe(false);
    expect(lead('https://a.org/', 'https://me:x@b.org/')).toBe(false);
  });
});
