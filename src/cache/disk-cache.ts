import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { errnoOf, makeFolder } from '../base/files/system.ts';
import type { Archive, KeptReply } from '../run/door/archive.ts';
import type { CallIdentity } from '../run/door/call-identity.ts';

export interface CacheFile {
  readonly path: string;
  readonly bytes: number;
  /** In ms since 1970. */
  readonly usedAt: number;
  /** Whether it is a whole entry, and not the draft of one. */
  readonly isEntry: boolean;
}

export interface CacheStats {
  /** Number of kept replies. */
  readonly entries: number;
  /** The size, with drafts that a process left behind, in bytes. */
  readonly bytes: number;
  /** When the least and the most recently used entries were used; null where there are none. */
  readonly oldestUse: Date | null;
  readonly newestUse: Date | null;
}

/** A file's place below the folder, by the hash of its request. */
const entryPath = (folder: string, hash: string): string => join(folder, hash.slice(0, 2), `${hash}.json`);

async function look(path: string): Promise<CacheFile | null> {
  const found = await stat(path).catch(() => null);
  return found && { path, bytes: found.size, usedAt: found.mtimeMs, isEntry: !path.endsWith('.tmp') };
}

/** Lists the files in the folders of a cache, without foreign names. */
export async function listCacheFiles(root: string, folders: RegExp, files: RegExp): Promise<CacheFile[]> {
  const namesIn = async (folder: string, wanted: RegExp) =>
    (await readdir(folder).catch(() => [])).filter((name) => wanted.test(name)).map((name) => join(folder, name));
  const paths = await Promise.all((await namesIn(root, folders)).map((folder) => namesIn(folder, files)));
  const found = await Promise.all(paths.flat().map(look));
  return found.filter((file) => file !== null);
}

/** Lists the files of replies. */
export const listEntries = (folder: string): Promise<CacheFile[]> =>
  listCacheFiles(folder, /^[0-9a-f]{2}$/, /^[0-9a-f]{16}\.json(\.\d+\.[0-9a-f]+\.tmp)?$/);

function summarise(files: readonly CacheFile[]): CacheStats {
  const uses = files
    .filter(({ isEntry }) => isEntry)
    .map(({ usedAt }) => usedAt)
    .sort((a, b) => a - b);
  const [oldest, newest] = [uses[0], uses.at(-1)];
  return {
    entries: uses.length,
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
    oldestUse: oldest === undefined ? null : new Date(oldest),
    newestUse: newest === undefined ? null : new Date(newest),
  };
}

/** Measures a cache; all is 0 where there is none. */
export const cacheStats = async (folder: string): Promise<CacheStats> => summarise(await listEntries(folder));

/** Removes all entries of a cache and returns what was there. Throws the system's error. */
export async function clearCache(folder: string): Promise<CacheStats> {
  const files = await listEntries(folder);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return summarise(files);
}

/** Shares of the size limit: above `full` it shrinks to `roomy`; it is checked again after `unseen` was added. */
const shares = { full: 0.9, roomy: 0.8, unseen: 1 / 64 } as const;

/** Writes a file of a cache in one step, so that no other process reads half of it. Throws the system's error. */
async function writeCacheFile(path: string, data: string | Uint8Array, isAgain = false): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  makeFolder(dirname(path));
  try {
    await writeFile(draft, data, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    // Another process may have cleared the cache meanwhile, with the draft in it.
    if (isAgain || errnoOf(error) !== 'ENOENT') throw error;
    await writeCacheFile(path, data, true);
  }
}

/** Removes the least recently used files until the rest is small enough. Returns the size of the rest, in bytes. */
async function makeRoom(list: () => Promise<readonly CacheFile[]>, maxBytes: number): Promise<number> {
  const entries = [...(await list())];
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes * shares.full) return total;
  for (const { path, bytes } of entries.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * shares.roomy) break;
    await rm(path, { force: true });
    total -= bytes;
  }
  return total;
}

/** Keeps files (those of `list`) within a size limit; call it for each write, in bytes. */
function createCaretaker(list: () => Promise<readonly CacheFile[]>, maxBytes: number) {
  /** The size at the last check, null before it, and the bytes added since. */
  let seen: number | null = null;
  let added = 0;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    added = 0;
    seen = await makeRoom(list, maxBytes);
  }

  return async function tidy(written: number): Promise<void> {
    added += written;
    const isWithin = seen !== null && seen + added <= maxBytes * shares.full && added <= maxBytes * shares.unseen;
    if (isWithin) return;
    looking ??= look().finally(() => {
      looking = null;
    });
    await looking;
  };
}

/** Creates the function that writes a file of a cache within its limit; after a failure, which it tells, none. */
export function createCacheWriter(
  list: () => Promise<readonly CacheFile[]>,
  maxBytes: number,
  tell: (why: string) => void,
): (path: string, data: string | Uint8Array) => Promise<void> {
  const tidy = createCaretaker(list, maxBytes);
  let isBroken = false;
  return async (path, data) => {
    if (isBroken) return;
    try {
      await writeCacheFile(path, data);
      await tidy(Buffer.byteLength(data));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!isBroken) tell(code ?? message);
      isBroken = true;
    }
  };
}

/** A kept reply as it stands in its file. */
interface Entry {
  readonly version: number;
  readonly parts: CallIdentity['parts'];
  readonly reply: KeptReply;
}

const version = 2;

const isReply = (reply: KeptReply): boolean =>
  typeof reply.text === 'string' &&
  ['stop', 'length'].includes(reply.finish) &&
  [reply.tries, reply.tokens.input, reply.tokens.output].every(Number.isFinite);

/** Returns the reply that is kept for a call; null when there is none, or it is damaged. */
async function readEntry(path: string, { parts }: CallIdentity): Promise<KeptReply | null> {
  try {
    const entry = decodeChecked(readOwnText(path, stateBytes)) as Entry | null;
    const isSame = entry?.version === version && JSON.stringify(entry.parts) === JSON.stringify(parts);
    return isSame && isReply(entry.reply) ? entry.reply : null;
  } catch {
    return null;
  }
}

/** Creates a cache of replies on the disk, at most `maxBytes`, for several processes at once. */
export function createDiskCache(folder: string, maxBytes: number, warn: (message: string) => void): Archive {
  const write = createCacheWriter(
    () => listEntries(folder),
    maxBytes,
    (why) => warn(`replies are not kept in the cache ${folder}: ${why}`),
  );
  return {
    name: 'cache',
    replays: false,
    async find(call) {
      const path = entryPath(folder, call.hash);
      const reply = await readEntry(path, call);
      const now = new Date();
      if (reply !== null) utimes(path, now, now).catch(() => {}); // Only the order of removal depends on it.
      return reply;
    },
    async keep({ parts, hash }, reply, isUsable) {
      const entry: Entry = { version, parts, reply };
      if (isUsable) await write(entryPath(folder, hash), encodeChecked(JSON.stringify(entry)));
    },
  };
}
