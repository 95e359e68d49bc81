import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import { errnoOf, makeFolder } from '../base/files/system.ts';
import type { Archive, KeptReply } from '../run/door/archive.ts';
import type { CallIdentity } from '../run/door/call-identity.ts';

const entryPath = (folder: string, hash: string): string => join(folder, hash.slice(0, 2), `${hash}.json`);

async function look(path: string) {
  const found = await stat(path).catch(() => null);
  return found && { path, bytes: found.size, usedAt: found.mtimeMs };
}

/** Lists the files whose names match `files`, in the folders of `root` whose names match `folders`. */
export async function listCacheFiles(root: string, folders: RegExp, files: RegExp) {
  const namesIn = async (folder: string, wanted: RegExp) =>
    (await readdir(folder).catch(() => [])).filter((name) => wanted.test(name)).map((name) => join(folder, name));
  const paths = await Promise.all((await namesIn(root, folders)).map((folder) => namesIn(folder, files)));
  const found = await Promise.all(paths.flat().map(look));
  return found.filter((file) => file !== null);
}

type CacheFiles = Readonly<Awaited<ReturnType<typeof listCacheFiles>>>;

export const listEntries = (folder: string): Promise<CacheFiles> =>
  listCacheFiles(folder, /^[0-9a-f]{2}$/, /^[0-9a-f]{16}\.json(\.\d+\.[0-9a-f]+\.tmp)?$/);

function summarise(files: CacheFiles) {
  const entries = files.filter(({ path }) => !path.endsWith('.tmp'));
  const uses = entries.map(({ usedAt }) => new Date(usedAt)).sort((a, b) => a.getTime() - b.getTime());
  return {
    entries: uses.length,
    /** In bytes, including drafts that a process left behind. */
    bytes: files.reduce((total, { bytes }) => total + bytes, 0),
    oldestUse: uses[0] ?? null,
    newestUse: uses.at(-1) ?? null,
  };
}

/** Measures a cache. */
export const cacheStats = async (folder: string) => summarise(await listEntries(folder));

/** Removes all entries of a cache. Returns the measures from before the removal. Throws the system's error. */
export async function clearCache(folder: string) {
  const files = await listEntries(folder);
  await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  return summarise(files);
}

/**
 * Shares of the size limit. A cache above `full` is shrunk to `roomy`. Its size is measured again after more than
 * `unseen` was added.
 */
const shares = { full: 0.9, roomy: 0.8, unseen: 1 / 64 } as const;

/** Writes a file in one step, so that no other process reads an incomplete file. */
async function writeCacheFile(path: string, data: string | Uint8Array, isAgain = false): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  makeFolder(dirname(path));
  try {
    await writeFile(draft, data, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    // Another process may have cleared the cache, including the draft.
    if (isAgain || errnoOf(error) !== 'ENOENT') throw error;
    await writeCacheFile(path, data, true);
  }
}

/** Removes the least recently used files of a full cache. Returns the size of the remaining files, in bytes. */
async function makeRoom(files: CacheFiles, maxBytes: number): Promise<number> {
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes * shares.full) return total;
  for (const { path, bytes } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * shares.roomy) break;
    await rm(path, { force: true });
    total -= bytes;
  }
  return total;
}

/**
 * Creates the function that writes a file of a cache. If the cache is almost full, the function removes the least
 * recently used files of `list`. After a failure, it writes nothing more.
 */
export function createCacheWriter(
  list: () => Promise<CacheFiles>,
  maxBytes: number,
  tell: (why: string) => void,
): (path: string, data: string | Uint8Array) => Promise<void> {
  /** In bytes: the size at the last measurement, and the size of the files written since. */
  let seen = Number.POSITIVE_INFINITY;
  let added = 0;
  let tidying: Promise<void> | null = null;
  let isBroken = false;

  async function tidy(): Promise<void> {
    if (seen + added <= maxBytes * shares.full && added <= maxBytes * shares.unseen) return;
    tidying ??= (async () => {
      added = 0;
      seen = await makeRoom(await list(), maxBytes);
    })().finally(() => {
      tidying = null;
    });
    await tidying;
  }

  return async (path, data) => {
    if (isBroken) return;
    try {
      await writeCacheFile(path, data);
      added += Buffer.byteLength(data);
      await tidy();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!isBroken) tell(code ?? message);
      isBroken = true;
    }
  };
}

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

async function readEntry(path: string, { parts }: CallIdentity): Promise<KeptReply | null> {
  try {
    const entry = decodeChecked(readOwnText(path, stateBytes)) as Entry | null;
    const isSame = entry?.version === version && JSON.stringify(entry.parts) === JSON.stringify(parts);
    return isSame && isReply(entry.reply) ? entry.reply : null;
  } catch {
    return null;
  }
}

/** Creates a cache of replies on the disk. Several processes may use it concurrently. */
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
      if (reply !== null) utimes(path, now, now).catch(() => {}); // The least recently used entries are removed first.
      return reply;
    },
    async keep({ parts, hash }, reply, isUsable) {
      const entry: Entry = { version, parts, reply };
      if (isUsable) await write(entryPath(folder, hash), encodeChecked(JSON.stringify(entry)));
    },
  };
}
