import { utimes } from 'node:fs/promises';
import { decodeChecked, encodeChecked } from '../base/checked-json.ts';
import { readOwnText, stateBytes } from '../base/files/own-file.ts';
import type { Archive, KeptReply } from '../run/door/archive.ts';
import type { CallIdentity } from '../run/door/call-identity.ts';
import { createCaretaker, writeCacheFile } from './caretaker.ts';
import { entryPath, listEntries } from './entries.ts';

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

/**
 * Returns the reply that is kept for a call; null when there is none, or it is damaged, or belongs to another request.
 */
async function readEntry(path: string, { parts }: CallIdentity): Promise<KeptReply | null> {
  try {
    const entry = decodeChecked(readOwnText(path, stateBytes)) as Entry | null;
    const isSame = entry?.version === version && JSON.stringify(entry.parts) === JSON.stringify(parts);
    return isSame && isReply(entry.reply) ? entry.reply : null;
  } catch {
    return null;
  }
}

/**
 * Creates a cache of replies on the disk, one file each, found by the hash of their request. Several processes may use
 * a folder concurrently.
 * @param maxBytes how large it may grow; those that were not used for longest go first.
 * @param warn told once when replies cannot be kept; those that are kept already are still found.
 */
export function createDiskCache(folder: string, maxBytes: number, warn: (message: string) => void): Archive {
  const tidy = createCaretaker(() => listEntries(folder), maxBytes);
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
      if (reply !== null) utimes(path, now, now).catch(() => {}); // Only the order of removal depends on it.
      return reply;
    },
    async keep({ parts, hash }, reply, isUsable) {
      if (!isUsable || isBroken) return;
      const entry: Entry = { version, parts, reply };
      const text = encodeChecked(JSON.stringify(entry));
      await writeCacheFile(entryPath(folder, hash), text)
        .then(() => tidy(Buffer.byteLength(text)))
        .catch(giveUp);
    },
  };
}
