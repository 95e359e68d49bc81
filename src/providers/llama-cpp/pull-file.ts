/** Downloads a model file: continues where an earlier download stopped, and keeps only whole files. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
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

/** Which file it is the beginning of. */
interface Origin extends FileVersion {
  readonly url: string;
}

const isOrigin = (value: unknown): value is Origin =>
  typeof value === 'object' && value !== null && 'url' in value && 'tag' in value && typeof value.tag === 'string';

function readOrigin(path: string): Origin | null {
  try {
    const value: unknown = JSON.parse(readOwnText(path));
    return isOrigin(value) ? value : null;
  } catch {
    return null;
  }
}

function unwritable(path: string, error: unknown): RlmError {
  const code = errnoOf(error) === 'ENOSPC' ? 'no-space' : 'output-unwritable';
  return new RlmError(code, `${path} cannot be written: ${systemDetail(error)}`, {
    hint: 'Free disk space or make it writable; the same command continues where it stopped.',
    cause: error,
  });
}

/**
 * Opens the part in a folder of its own.
 * @param url only a part of the same address is gone on with.
 */
function openPart(folder: string, url: URL) {
  const [path, originPath] = [join(folder, 'part'), join(folder, 'origin.json')];
  let file: FileHandle | null = null;
  const bytesHere = async () => (await stat(path).catch(() => null))?.size ?? 0;
  return {
    path,
    /** How much of which version is here; nothing where the rest of it cannot be asked for. */
    async begun(): Promise<{ readonly bytes: number; readonly origin: Origin | null }> {
      const origin = readOrigin(originPath);
      if (origin?.url !== url.href) return { bytes: 0, origin: null };
      const bytes = await bytesHere();
      return bytes > (origin.totalBytes ?? bytes) ? { bytes: 0, origin: null } : { bytes, origin };
    },
    /** Drops what comes behind a byte, and notes which version the file is of. */
    async continueAt(startByte: number, { sha256, tag, totalBytes }: FileVersion): Promise<void> {
      try {
        await replaceFile(originPath, JSON.stringify({ url: url.href, sha256, tag, totalBytes }));
        file = await open(path, startByte > 0 ? 'r+' : 'w', 0o600);
        await file.truncate(startByte);
      } catch (error) {
        throw error instanceof RlmError ? error : unwritable(path, error);
      }
    },
    async write(bytes: Uint8Array, atByte: number): Promise<void> {
      for (let done = 0; done < bytes.length; ) {
        const written = await file!.write(bytes, done, bytes.length - done, atByte + done).catch((error: unknown) => {
          throw unwritable(path, error);
        });
        done += written.bytesWritten;
      }
    },
    async close(): Promise<void> {
      await file?.close();
      file = null;
    },
    /** In hex, of all that is here. */
    async sha256(signal: AbortSignal): Promise<string> {
      const hash = createHash('sha256');
      for await (const bytes of createReadStream(path, { signal })) hash.update(bytes as Buffer);
      return hash.digest('hex');
    },
    /** Puts the file in place, in one step. */
    async finish(to: string): Promise<void> {
      await rename(path, to).catch((error: unknown) => {
        throw unwritable(to, error);
      });
      await rm(folder, { recursive: true, force: true });
    },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

type Part = ReturnType<typeof openPart>;

/** What is downloaded, and where to. */
export interface PullFileOptions extends PullOptions {
  readonly address: FileAddress;
  /** The folder of model files. */
  readonly folder: string;
  /** The expected SHA-256 as the user knows it; null: as the server tells. */
  readonly sha256: string | null;
}

/** A file that is there. */
export interface PulledFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Who stated that checksum; null: nobody. */
  readonly checkedBy: 'user' | 'server' | null;
}

/** Tries without any progress between them. */
const mostTries = 4;
const firstWaitMs = 500;

/** The first bytes of every model file. */
const magic = Buffer.from('GGUF');

const differs = ({ tag, totalBytes }: FileVersion, other: FileVersion): boolean =>
  tag === null || tag !== other.tag || totalBytes !== other.totalBytes;

function assertModel(name: string, bytes: Uint8Array): void {
  if (bytes.length < magic.length || magic.equals(bytes.subarray(0, magic.length))) return;
  throw new RlmError('model-missing', `${name} is no GGUF file at that address`, {
    hint: 'Check the address: perhaps it is that of a page about the file.',
  });
}

/** Requests the missing rest; the whole file, where it has changed since. */
async function askForRest(url: URL, part: Part, signal: AbortSignal) {
  const { bytes, origin } = await part.begun();
  const response = await requestFile(url, bytes, signal);
  const isOther = bytes > 0 && (origin === null || differs(response, origin) || response.startByte !== bytes);
  if (!isOther || response.startByte === 0) return response;
  await (response.body as ReadableStream).cancel?.();
  return requestFile(url, 0, signal);
}

/** Receives until the body ends. Returns the size of the file as the server has told it, or null. */
async function receive(part: Part, { address, signal, onProgress }: PullFileOptions): Promise<FileVersion> {
  const response = await askForRest(address.url, part, signal);
  const { startByte, totalBytes, body } = response;
  let at = startByte;
  const [status, digest] = [`downloading ${address.name}`, address.name];
  const tell = () => onProgress({ status, digest, completedBytes: at, totalBytes });
  await part.continueAt(startByte, response);
  tell();
  try {
    for await (const bytes of body) {
      if (at === 0) assertModel(address.name, bytes);
      await part.write(bytes, at);
      at += bytes.length;
      tell();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw brokenOff(address.url, error);
  } finally {
    await part.close();
  }
  if (totalBytes !== null && at < totalBytes) throw brokenOff(address.url, new Error('it ended too early'));
  return response;
}

/** Continues after a broken connection, as long as bytes come. */
async function receiveAll(part: Part, options: PullFileOptions): Promise<FileVersion> {
  for (let tries = 1; ; tries++) {
    const { bytes: before, origin } = await part.begun();
    if (origin?.totalBytes != null && origin.totalBytes === before) return origin;
    try {
      return await receive(part, options);
    } catch (error) {
      const { bytes } = await part.begun();
      if (!(error instanceof RlmError) || error.code !== 'provider-failed') throw error;
      if (bytes > before) tries = 0;
      else if (tries >= mostTries) throw error;
      else await wait(firstWaitMs * 2 ** tries, options.signal);
    }
  }
}

async function check(part: Part, version: FileVersion, options: PullFileOptions): Promise<string> {
  const { address, sha256, signal, onProgress } = options;
  onProgress({ status: 'checking it', digest: null, completedBytes: 0, totalBytes: null });
  const sum = await part.sha256(signal);
  const wanted = sha256 ?? version.sha256;
  if (wanted !== null && wanted !== sum) {
    await part.drop();
    throw new RlmError('provider-failed', `${address.name} has the SHA-256 ${sum} and should have ${wanted}`, {
      hint: 'The file was removed. Pull it again, or check the address.',
    });
  }
  return sum;
}

const infoPath = (folder: string, name: string): string => join(folder, `.${name}.json`);

/** The file where an earlier download has left it; null where there is none. */
async function findPulled({ address, folder }: PullFileOptions): Promise<PulledFile | null> {
  const path = join(folder, address.name);
  if (!existsSync(path)) return null;
  try {
    const { url, ...file } = JSON.parse(readOwnText(infoPath(folder, address.name))) as PulledFile & { url: string };
    if (url === address.url.href) return { ...file, path };
  } catch {
    // The source of the file is unknown.
  }
  const hint = 'Remove or rename it, and pull again.';
  throw new RlmError('usage', `there is another model file ${path}`, { hint });
}

async function keep(part: Part, version: FileVersion, options: PullFileOptions): Promise<PulledFile> {
  const { address, folder, sha256 } = options;
  const sum = await check(part, version, options);
  const { sizeBytes } = await readModelFile(part.path).catch(async (error: unknown) => {
    await part.drop();
    throw error;
  });
  const path = join(folder, address.name);
  const checkedBy = sha256 !== null ? 'user' : version.sha256 !== null ? 'server' : null;
  const file = { path, name: address.name, sizeBytes, sha256: sum, checkedBy } as const;
  await replaceFile(infoPath(folder, address.name), JSON.stringify({ url: address.url.href, ...file }));
  await part.finish(path);
  return file;
}

/**
 * Downloads a model file into the folder, unless it is there.
 * @throws RlmError `model-missing` where there is no such file or it is no model, `provider-failed` where the server
 *   fails or the sum is another one, `usage`, `no-space`, `output-unwritable`; the signal's reason.
 */
export async function pullFile(options: PullFileOptions): Promise<PulledFile> {
  const { address, folder } = options;
  const found = await findPulled(options);
  if (found !== null) return found;
  const place = join(folder, `.${address.name}.part`);
  makeFolder(place, 0o700);
  const lock = takeLock(place);
  if (!('release' in lock)) {
    throw new RlmError('usage', `another process (${lock.pid}) downloads ${address.name}`, { hint: 'Wait for it.' });
  }
  const part = openPart(place, address.url);
  try {
    return await keep(part, await receiveAll(part, options), options);
  } finally {
    lock.release();
  }
}
