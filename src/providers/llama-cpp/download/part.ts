/** A file that is being downloaded: what has come, and which version of it that is. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readOwnText } from '../../../base/files/own-file.ts';
import { replaceFile } from '../../../base/files/replace-file.ts';
import { errnoOf, systemDetail } from '../../../base/files/system-error.ts';
import { RlmError } from '../../../errors.ts';
import type { FileVersion } from './request.ts';

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
    hint: 'Make room or make it writable; the same command goes on where it stopped.',
    cause: error,
  });
}

/**
 * Opens the part in a folder of its own.
 * @param url only a part of the same address is gone on with.
 */
export function openPart(folder: string, url: URL) {
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

export type Part = ReturnType<typeof openPart>;
