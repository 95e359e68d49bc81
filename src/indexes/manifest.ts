import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnTextIfAny, stateBytes } from '../base/files/own-file.ts';
import { replaceFile } from '../base/files/replace-file.ts';
import { sha256 } from '../base/sha256.ts';
import type { ChunkKind } from '../context/chunk.ts';
import { RlmError } from '../errors.ts';
import type { Encoding } from '../inputs/decode.ts';
import type { Segment } from '../retrievers/lexical/segment.ts';
import type { DocumentInfo } from '../state.ts';

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

export const isIndexName = (name: string): boolean => nameForm.test(name);

export const watcherFolder = (folder: string): string => join(folder, 'watcher');

/** Returns the path of the file that exists while the watcher of an index refuses changes. */
export const refusedMark = (folder: string): string => join(watcherFolder(folder), 'refused');

/** Returns the folder of an index. Throws RlmError `usage` for an invalid name. */
export function indexFolder(indexes: string, name: string): string {
  if (isIndexName(name)) return join(indexes, name);
  throw new RlmError('usage', `"${name}" cannot be the name of an index`, {
    hint: 'A name begins with a letter or a digit. It has at most 64 letters, digits and signs (. _ -).',
  });
}

export function missingIndex(name: string, near: string | null): RlmError {
  const named = isIndexName(name) ? name : 'NAME';
  const hint = near === null ? `To create one: rlm index add PATHS… --name ${named}.` : `Did you mean ${near}?`;
  return new RlmError('index-missing', `there is no index "${name}"`, { hint: `${hint} rlm index list shows all.` });
}

const toCreateAgain = (name: string): string => `rlm index rm ${name}, then rlm index add PATHS… --name ${name}`;

export function damagedIndex(
  name: string,
  why: string,
  hint = `rlm index update --name ${name} --all reads its files again; rlm index rm ${name} removes it.`,
): RlmError {
  return new RlmError('index-damaged', `the index "${name}" is damaged: ${why}`, { hint });
}

/** Returns the error for an index with an unusable manifest. The user has to create such an index again. */
const unreadableIndex = (name: string, why: string) =>
  damagedIndex(name, `its ${manifestName} ${why}`, `Remove it and create it again: ${toCreateAgain(name)}`);

function outdatedIndex(name: string, version: unknown): RlmError {
  const which = typeof version === 'number' ? `format ${version}` : 'an unknown format';
  return new RlmError('index-outdated', `the index "${name}" was made by another version of rlm (${which})`, {
    hint: `Create it again: ${toCreateAgain(name)}`,
  });
}

/** The version of the files of an index, and of the rules for reading, chunking and analysing text. */
export const indexVersion = 5;

export interface ReadingTerms {
  readonly kind: ChunkKind;
  readonly chunkBytes: number;
  readonly encoding: Encoding;
}

export interface IndexedDocument extends DocumentInfo {
  readonly part: string;
  /** Offset of the text in the part, in bytes. */
  readonly start: number;
  readonly firstChunk: number;
  readonly chunks: number;
  /** First 32 hex digits of the SHA-256 of its text. */
  readonly hash: string;
}

/** A part. Its file holds text, then postings, then places and lengths of chunks, then sparse keys. */
export interface PartFacts {
  /** The name of the part's file in the folder of the index. No later part gets the same name. */
  readonly file: string;
  readonly bytes: number;
  readonly textBytes: number;
  readonly postingsBytes: number;
  readonly chunks: number;
  readonly segments: readonly Omit<Segment, 'sparse'>[];
}

export interface IndexedFile {
  /** The absolute path of the file, in the form that `keyOfPath` returns. */
  readonly key: string;
  /** The path as the user would type it. */
  readonly name: string;
  /** Changes when the file changes; null if a change can be detected only by reading the file. */
  readonly stamp: string | null;
  readonly documents: readonly IndexedDocument[];
}

/** The description of an index. */
export interface Manifest {
  readonly version: number;
  readonly updatedAt: string;
  /** Absolute path of the folder that `paths` start from. */
  readonly cwd: string;
  /** Files, folders and globs. */
  readonly paths: readonly string[];
  readonly reading: ReadingTerms;
  readonly parts: readonly PartFacts[];
  /** The files, in the order of their texts. */
  readonly files: readonly IndexedFile[];
}

export const manifestName = 'manifest.json';

export const hasManifest = (folder: string): boolean => existsSync(join(folder, manifestName));

const sumOf = (json: string): string => sha256(json, 16);

/** Matches the beginning of a manifest: the checksum of the rest of the manifest. */
const manifestForm = /^\{"sum":"([0-9a-f]{16})",/;

/** Replaces the manifest of an index atomically. Throws RlmError `output-unwritable`. */
export function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const json = JSON.stringify(manifest);
  return replaceFile(join(folder, manifestName), `{"sum":"${sumOf(json)}",${json.slice(1)}\n`);
}

function parse(text: string, name: string): Manifest {
  try {
    const { sum: _, ...manifest } = JSON.parse(text) as Manifest & { sum: unknown };
    return manifest;
  } catch {
    throw unreadableIndex(name, 'is not valid JSON');
  }
}

function readFileOf(folder: string, name: string): string {
  const unreadable = (why: string) => unreadableIndex(name, `cannot be read (${why})`);
  const text = readOwnTextIfAny(join(folder, manifestName), unreadable, stateBytes);
  if (text === null) throw missingIndex(name, null);
  return text;
}

/** Reads the manifest of an index. Throws `index-missing`, `index-outdated`, `index-damaged`. */
export function readManifest(folder: string, name: string): Manifest {
  const text = readFileOf(folder, name);
  const manifest = parse(text, name);
  if (manifest.version !== indexVersion) throw outdatedIndex(name, manifest.version);
  const [head = '', sum] = manifestForm.exec(text) ?? [];
  if (sum !== sumOf(`{${text.slice(head.length).trimEnd()}`)) throw unreadableIndex(name, 'was changed');
  return manifest;
}

const manifestStamp = (folder: string): string => {
  const { ino, size, mtimeMs } = statSync(join(folder, manifestName));
  return `${ino} ${size} ${mtimeMs}`;
};

/** Keeps the manifest that this process last wrote. Reads the file again if another process has replaced it. */
export function createKeptManifest(folder: string, name: string) {
  let kept: { readonly manifest: Manifest; readonly stamp: string } | null = null;
  return {
    read: () => (kept?.stamp === manifestStamp(folder) ? kept.manifest : readManifest(folder, name)),
    async write(manifest: Manifest) {
      await writeManifest(folder, manifest);
      kept = { manifest, stamp: manifestStamp(folder) };
    },
  };
}

export const documentsOf = ({ files }: Pick<Manifest, 'files'>): IndexedDocument[] =>
  files.flatMap(({ documents }) => documents);
