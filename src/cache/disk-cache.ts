import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Archive, KeptReply } from '../run/archive.ts';
import type { CallIdentity } from '../run/call-identity.ts';
import { entryPath, listEntries } from './entries.ts';

/** A kept reply as it stands in its file. */
interface Entry {
  readonly version: number;
  readonly parts: CallIdentity['parts'];
  readonly reply: KeptReply;
}

const version = 1;

/**
 * Shares of the largest size. Above `full` there is made room down to `roomy`, so that not every further reply has to;
 * and a process looks again after it has added `unseen`, since others may have added as much. With these, six
 * processes at once do not exceed the largest size.
 */
const shares = { full: 0.9, roomy: 0.8, unseen: 1 / 64 } as const;

const isReply = (reply: KeptReply): boolean =>
  typeof reply.text === 'string' &&
  ['stop', 'length'].includes(reply.finish) &&
  [reply.tries, reply.tokens.input, reply.tokens.output].every(Number.isFinite);

/** What is kept for a call; null when nothing is, or nothing that can be used. */
async function readEntry(path: string, { parts }: CallIdentity): Promise<KeptReply | null> {
  try {
    const entry = JSON.parse(await readFile(path, 'utf8')) as Entry;
    const isSame = entry.version === version && JSON.stringify(entry.parts) === JSON.stringify(parts);
    return isSame && isReply(entry.reply) ? entry.reply : null;
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
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  return Buffer.byteLength(text);
}

/** Another process may have cleared the cache meanwhile, with the draft in it. */
const again = (write: () => Promise<number>) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return write();
  throw error;
};

/** Removes those that were not used for longest, until the rest is small enough. Returns the size of the rest, in bytes. */
async function makeRoom(folder: string, maxBytes: number): Promise<number> {
  const entries = await listEntries(folder);
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes * shares.full) return total;
  for (const { path, bytes } of entries.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes * shares.roomy) break;
    await rm(path, { force: true });
    total -= bytes;
  }
  return total;
}

/** Keeps a folder within its largest size; told of every write, in bytes. */
function createCaretaker(folder: string, maxBytes: number): (written: number) => Promise<void> {
  /** The size as this process saw it last, null before that, and what it has added since. */
  let seen: number | null = null;
  let added = 0;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    added = 0;
    seen = await makeRoom(folder, maxBytes);
  }

  return async function tidy(written) {
    added += written;
    const isWithin = seen !== null && seen + added <= maxBytes * shares.full && added <= maxBytes * shares.unseen;
    if (isWithin) return;
    looking ??= look().finally(() => {
      looking = null;
    });
    await looking;
  };
}

/**
 * Replies on the disk, one file each, found by the hash of their request. Several processes may use a folder at once.
 * @param maxBytes how large it may grow; those that were not used for longest go first.
 * @param warn told once when replies cannot be kept; those that are kept already are still found.
 */
export function createDiskCache(folder: string, maxBytes: number, warn: (message: string) => void): Archive {
  const tidy = createCaretaker(folder, maxBytes);
  let isBroken = false;

  function giveUp({ code, message }: NodeJS.ErrnoException): void {
    if (isBroken) return;
    isBroken = true;
    warn(`replies are not kept in the cache ${folder}: ${code ?? message}`);
  }

  return {
    name: 'cache',
    replays: false,
    async find(call) {
      const path = entryPath(folder, call.hash);
      const reply = await readEntry(path, call);
      const now = new Date();
      if (reply !== null) utimes(path, now, now).catch(() => {}); // Only the order in which entries go.
      return reply;
    },
    async keep({ parts, hash }, reply, isUsable) {
      if (!isUsable || isBroken) return;
      const write = () => writeEntry(entryPath(folder, hash), { version, parts, reply });
      await write().catch(again(write)).then(tidy).catch(giveUp);
    },
  };
}
