import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive, KeptReply } from '../run/archive.ts';
import type { CallIdentity } from '../run/call-identity.ts';
import { listEntries } from './entries.ts';

/** A kept reply as it stands in its file. */
interface Entry {
  readonly version: number;
  readonly parts: CallIdentity['parts'];
  readonly reply: KeptReply;
}

const version = 1;

/** What is left when the cache had grown too large, so that not every further reply has to make room. */
const roomyShare = 0.9;

const pathOf = (folder: string, hash: string): string => join(folder, hash.slice(0, 2), `${hash}.json`);

/** What is kept for a call; null when nothing is, or nothing that can be used. */
async function readEntry(path: string, { parts }: CallIdentity): Promise<KeptReply | null> {
  try {
    const entry = JSON.parse(await readFile(path, 'utf8')) as Entry;
    const isSame = entry.version === version && JSON.stringify(entry.parts) === JSON.stringify(parts);
    return isSame && typeof entry.reply.text === 'string' ? entry.reply : null;
  } catch {
    return null;
  }
}

/** The file takes its place in one step, so that no other process reads half of it. */
async function writeEntry(path: string, entry: Entry): Promise<number> {
  const text = JSON.stringify(entry);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return Buffer.byteLength(text);
}

/** Removes those that were not used for longest, until the rest is small enough. Returns the size of the rest, in bytes. */
async function makeRoom(folder: string, maxBytes: number): Promise<number> {
  const entries = await listEntries(folder);
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return total;
  for (const { path, bytes } of entries.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * roomyShare) break;
    await rm(path, { force: true });
    total -= bytes;
  }
  return total;
}

/**
 * Replies on the disk, one file each, found by the hash of their request. Several processes may use a folder at once.
 * @param maxBytes how large it may grow; those that were not used for longest go first.
 */
export function createDiskCache(folder: string, maxBytes: number, warn: (message: string) => void): Archive {
  /** The size as far as this process knows, in bytes; null before it has looked. */
  let size: number | null = null;

  async function keep(call: CallIdentity, reply: KeptReply): Promise<void> {
    const { parts, hash } = call;
    const written = await writeEntry(pathOf(folder, hash), { version, parts, reply });
    if (size === null || size + written > maxBytes) size = await makeRoom(folder, maxBytes);
    else size += written;
  }

  return {
    name: 'cache',
    replays: false,
    async find(call) {
      const path = pathOf(folder, call.hash);
      const reply = await readEntry(path, call);
      const now = new Date();
      if (reply !== null) utimes(path, now, now).catch(() => {}); // Only the order in which entries go.
      return reply;
    },
    async keep(call, reply, isUsable) {
      if (!isUsable) return;
      await keep(call, reply).catch((error: Error) => warn(`a reply was not kept in the cache: ${error.message}`));
    },
  };
}
