import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wait } from '../../base/abort.ts';
import { takeLock } from '../../base/files/lock.ts';
import { readOwnText } from '../../base/files/own-file.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { errnoOf, makeFolder, systemDetail } from '../../base/files/system.ts';
import { RlmError } from '../../errors.ts';
import type { PullOptions } from '../provider.ts';
import { readModelFile } from './file.ts';
import { brokenOff, type FileAddress, type FileVersion, requestFile } from './file-request.ts';

/** A download: its source and its target. */
export interface PullFileOptions extends PullOptions {
  readonly address: FileAddress;
  readonly folder: string;
  /** The SHA-256 that the user expects; null to expect the SHA-256 that the server reports. */
  readonly sha256: string | null;
}

export interface PulledFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Who stated the expected checksum; null if nobody did. */
  readonly checkedBy: 'user' | 'server' | null;
}

const withPaths = (options: PullFileOptions) => {
  const place = join(options.folder, `.${options.address.name}.part`);
  return { ...options, place, part: join(place, 'part'), originPath: join(place, 'origin.json') };
};

type Download = ReturnType<typeof withPaths>;

/** Maximum number of consecutive tries without progress. */
const mostTries = 4;
const firstWaitMs = 1000;

const magic = Buffer.from('GGUF');

const onDisk = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const code = errnoOf(error) === 'ENOSPC' ? 'no-space' : 'output-unwritable';
    throw new RlmError(code, `${path} cannot be written: ${systemDetail(error)}`, {
      hint: 'Free disk space, or make the folder writable. Then run the same command again: it continues the download.',
      cause: error,
    });
  });

function readLeft<T extends object>(path: string): Partial<T> | null {
  try {
    return JSON.parse(readOwnText(path)) as Partial<T> | null;
  } catch {
    return null;
  }
}

/** Finds the partial download. `origin` is null if no partial download of this address can be resumed. */
async function begun({ part, originPath, address }: Download) {
  const origin = readLeft<FileVersion & { readonly url: string }>(originPath);
  const { size: bytes = 0 } = await stat(part).catch(() => ({ size: 0 }));
  const { url, sha256 = null, tag, totalBytes = null } = origin ?? {};
  const isOurs = url === address.url.href && typeof tag === 'string' && bytes <= (totalBytes ?? bytes);
  return isOurs ? { bytes, origin: { sha256, tag, totalBytes } } : { bytes: 0, origin: null };
}

function assertModel(name: string, bytes: Uint8Array): void {
  if (bytes.length < magic.length || magic.equals(bytes.subarray(0, magic.length))) return;
  throw new RlmError('model-missing', `there is no GGUF file at the address of ${name}`, {
    hint: 'Check the address. It may be the address of a page about the file.',
  });
}

/** Requests the missing rest of the file, or the whole file if it has changed since the download began. */
async function askForRest(pulled: Download) {
  const { url } = pulled.address;
  const { bytes, origin } = await begun(pulled);
  const response = await requestFile(url, bytes, pulled.signal);
  const { startByte, tag, totalBytes, body } = response;
  const isSame = startByte === bytes && tag !== null && tag === origin?.tag && totalBytes === origin.totalBytes;
  if (startByte === 0 || isSame) return response;
  await (body as ReadableStream).cancel?.();
  return requestFile(url, 0, pulled.signal);
}

async function receive(pulled: Download): Promise<FileVersion> {
  const { part, originPath, address, signal, onProgress } = pulled;
  const { startByte, body, ...version } = await askForRest(pulled);
  const { totalBytes } = version;
  await replaceFile(originPath, JSON.stringify({ url: address.url.href, ...version }));
  const file = await onDisk(part, open(part, 'a', 0o600));
  const [status, digest] = [`downloading ${address.name}`, address.name];
  let at = startByte;
  const tell = () => onProgress({ status, digest, completedBytes: at, totalBytes });
  try {
    await onDisk(part, file.truncate(startByte));
    tell();
    for await (const bytes of body) {
      if (at === 0) assertModel(address.name, bytes);
      await onDisk(part, file.appendFile(bytes));
      at += bytes.length;
      tell();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw brokenOff(address.url, error);
  } finally {
    await file.close();
  }
  if (totalBytes !== null && at < totalBytes) throw brokenOff(address.url, new Error('it ended too early'));
  return version;
}

async function receiveAll(pulled: Download): Promise<FileVersion> {
  for (let tries = 1; ; tries++) {
    const { bytes: before, origin } = await begun(pulled);
    if (origin?.totalBytes === before) return origin;
    try {
      return await receive(pulled);
    } catch (error) {
      if (!(error instanceof RlmError) || error.code !== 'provider-failed') throw error;
      if ((await begun(pulled)).bytes > before) tries = 0;
      else if (tries >= mostTries) throw error;
      else await wait(firstWaitMs * 2 ** (tries - 1), pulled.signal);
    }
  }
}

async function sumOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { signal })) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

const infoPath = (folder: string, name: string): string => join(folder, `.${name}.json`);

function wrongSum(name: string, { sum, wanted }: { sum: string; wanted: string }, hint: string): RlmError {
  return new RlmError('provider-failed', `${name} has the SHA-256 ${sum} and should have ${wanted}`, { hint });
}

function checkedSum(path: string, { signal, onProgress }: PullFileOptions): Promise<string> {
  onProgress({ status: 'checking the SHA-256', digest: null, completedBytes: 0, totalBytes: null });
  return sumOf(path, signal);
}

async function findPulled(options: PullFileOptions): Promise<PulledFile | null> {
  const { address, folder, sha256: wanted } = options;
  const { name, url } = address;
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  const { url: from, ...file } = readLeft<PulledFile & { readonly url: string }>(infoPath(folder, name)) ?? {};
  if (from === url.href) {
    if (wanted === null) return { ...(file as PulledFile), path };
    const sum = await checkedSum(path, options);
    if (sum === wanted) return { ...(file as PulledFile), path, sha256: sum, checkedBy: 'user' };
    throw wrongSum(name, { sum, wanted }, `The file ${path} is from an earlier download. Remove it, and pull again.`);
  }
  const hint = 'Remove or rename it, and pull again.';
  throw new RlmError('usage', `a different model file is already at ${path}`, { hint });
}

async function keep({ place, part, ...pulled }: Download, version: FileVersion): Promise<PulledFile> {
  const { address, folder } = pulled;
  const { name, url } = address;
  const sha256 = await checkedSum(part, pulled);
  const wanted = pulled.sha256 ?? version.sha256;
  const remove = () => rm(place, { recursive: true, force: true });
  if (wanted !== null && wanted !== sha256) {
    await remove();
    throw wrongSum(name, { sum: sha256, wanted }, 'The file was removed. Pull it again, or check the address.');
  }
  const { sizeBytes } = await readModelFile(part).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const path = join(folder, name);
  const checkedBy = pulled.sha256 !== null ? 'user' : version.sha256 !== null ? 'server' : null;
  const file: PulledFile = { path, name, sizeBytes, sha256, checkedBy };
  await replaceFile(infoPath(folder, name), JSON.stringify({ url: url.href, ...file }));
  await onDisk(path, rename(part, path));
  await remove();
  return file;
}

/**
 * Downloads a model file into the folder, unless it is already there.
 * @throws RlmError `model-missing` if the server has no such file or the file is no model; `provider-failed` if the
 *   server fails or the SHA-256 is wrong; `usage` if a different file has the name, another process downloads the file
 *   or a redirect is not allowed; `no-space`; `output-unwritable`. Also throws the signal's reason.
 */
export async function pullFile(options: PullFileOptions): Promise<PulledFile> {
  const found = await findPulled(options);
  if (found !== null) return found;
  const pulled = withPaths(options);
  makeFolder(pulled.place);
  const lock = takeLock(pulled.place);
  if (!('release' in lock)) {
    const hint = 'Wait until that process has finished.';
    throw new RlmError('usage', `another process (${lock.pid}) downloads ${options.address.name}`, { hint });
  }
  try {
    return await keep(pulled, await receiveAll(pulled));
  } finally {
    lock.release();
  }
}
