/** Texts that are kept by name in the state folder, for programs that load one and come back to it later. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../base/files/make-folder.ts';
import { openOwnFile } from '../base/files/own-file.ts';
import { contextsFolder, stateFolder } from '../config/folders.ts';
import { loadConfiguration } from '../config/layers.ts';
import type { Environment } from '../config/setting-layers.ts';
import { RlmError } from '../errors.ts';
import type { GivenDocument } from '../inputs/gather-inputs.ts';
import type { Context } from './open-context.ts';

/** Where kept contexts are. */
export interface KeptContextOptions {
  /** Default: the process's. */
  readonly env?: Environment;
  /** Default: the process's. */
  readonly cwd?: string;
}

/** The first line of the file; the text of all documents follows, one after the other. */
interface Head {
  readonly version: 1;
  readonly from: string;
  readonly documents: readonly { readonly name: string; readonly bytes: number }[];
  /** SHA-256 of the text, in hex. */
  readonly hash: string;
}

const namePattern = /^[A-Za-z0-9_-]{1,100}$/;
const stepBytes = 1024 * 1024;
const longestHead = 16 * 1024 * 1024;

function folderOf({ env = process.env, cwd = process.cwd() }: KeptContextOptions): string {
  return contextsFolder(stateFolder(loadConfiguration({ env, cwd }).settings, env));
}

function pathOf(name: string, options: KeptContextOptions): string {
  if (!namePattern.test(name)) throw new RlmError('usage', `"${name.slice(0, 100)}" cannot be the name of a context`);
  return join(folderOf(options), `${name}.context`);
}

function* steps(context: Context): Generator<Uint8Array> {
  for (const [document, { bytes }] of context.documents.entries())
    for (let at = 0; at < bytes; at += stepBytes) yield context.read(document, at, at + stepBytes);
}

/**
 * Keeps the text of a context under a name, in place of what was kept under it; who reads it meanwhile sees one or the
 * other.
 * @param from where the text came from, in words.
 * @throws RlmError `output-unwritable`, `usage` for a name of other characters than letters, digits, _ and -.
 */
export async function keepContext(
  name: string,
  from: string,
  context: Context,
  options: KeptContextOptions = {},
): Promise<void> {
  const path = pathOf(name, options);
  const draft = `${path}.${process.pid}.tmp`;
  const hash = createHash('sha256');
  for (const step of steps(context)) hash.update(step);
  const documents = context.documents.map(({ name: source, bytes }) => ({ name: source, bytes }));
  const head: Head = { version: 1, from, documents, hash: hash.digest('hex') };
  try {
    makeFolder(folderOf(options));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.write(`${JSON.stringify(head)}\n`);
      for (const step of steps(context)) await file.write(step);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new RlmError('output-unwritable', `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
      hint: 'Make the state folder writable, or name another with RLM_HOME.',
    });
  }
}

const damaged = (name: string): RlmError =>
  new RlmError('input-unreadable', `the kept context "${name}" is damaged`, { hint: 'Load it again from its files.' });

function readHead(descriptor: number, name: string): { readonly head: Head; readonly startByte: number } {
  const parts: Buffer[] = [];
  for (let total = 0; total < longestHead; ) {
    const part = Buffer.alloc(64 * 1024);
    const count = readSync(descriptor, part, 0, part.length, total);
    if (count === 0) break;
    const feed = part.subarray(0, count).indexOf(0x0a);
    parts.push(part.subarray(0, feed === -1 ? count : feed));
    if (feed === -1) {
      total += count;
      continue;
    }
    try {
      const head = JSON.parse(Buffer.concat(parts).toString('utf8')) as Head;
      if (head.version !== 1 || !Array.isArray(head.documents)) throw damaged(name);
      return { head, startByte: total + feed + 1 };
    } catch {
      throw damaged(name);
    }
  }
  throw damaged(name);
}

/** All steps of the text, whose hash must come to what the head says. */
function checkHash(descriptor: number, startByte: number, { hash, documents }: Head, name: string): void {
  const bytes = documents.reduce((sum, document) => sum + document.bytes, 0);
  if (fstatSync(descriptor).size !== startByte + bytes) throw damaged(name);
  const sum = createHash('sha256');
  const room = Buffer.alloc(stepBytes);
  for (let at = startByte; ; ) {
    const count = readSync(descriptor, room, 0, room.length, at);
    if (count === 0) break;
    sum.update(room.subarray(0, count));
    at += count;
  }
  if (sum.digest('hex') !== hash) throw damaged(name);
}

/**
 * A kept context as documents for `openContext`, or null where none is kept under the name.
 * @throws RlmError `input-unreadable` when it was changed since it was written.
 */
export function keptDocuments(
  name: string,
  options: KeptContextOptions = {},
): { readonly from: string; readonly documents: readonly GivenDocument[] } | null {
  let descriptor: number;
  try {
    descriptor = openOwnFile(pathOf(name, options));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error instanceof RlmError ? error : damaged(name);
  }
  try {
    const { head, startByte } = readHead(descriptor, name);
    checkHash(descriptor, startByte, head, name);
    let at = startByte;
    const documents = head.documents.map(({ name: source, bytes }) => {
      const text = Buffer.alloc(bytes);
      readSync(descriptor, text, 0, bytes, at);
      at += bytes;
      return { name: source, text, encoding: 'utf-8' as const };
    });
    return { from: head.from, documents };
  } finally {
    closeSync(descriptor);
  }
}

/** The names of all kept contexts, in order. */
export async function keptContextNames(options: KeptContextOptions = {}): Promise<string[]> {
  const names = await readdir(folderOf(options)).catch(() => []);
  return names.flatMap((name) => /^(.*)\.context$/.exec(name)?.[1] ?? []).sort();
}
