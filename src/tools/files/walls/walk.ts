import { closeSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPacer } from '../../../base/time.ts';
import { joinName } from '../../../inputs/find/paths.ts';
import type { Guard } from './guard.ts';
import { type Checked, fdPath, hasFdPaths, type OpenFile, openChecked, toOpenFile } from './open-checked.ts';
import { fileIdentity, isUnchanged, nameIn, type Root, type RootedPath, rootOf } from './roots.ts';

export interface WalkOptions {
  readonly hidden: boolean;
  readonly sizes: boolean;
  readonly signal: AbortSignal;
}

export interface FoundFile {
  /** A path to the file, as the user would type it. */
  readonly name: string;
  /** Path relative to the start of the walk; equal to `name` if the walk started at the file. */
  readonly below: string;
  /** Size in bytes; may be 0 if sizes were not requested. */
  readonly bytes: number;
  /** Opens the file, which the caller closes. Null if another file has replaced it. Throws the system's error. */
  open(): OpenFile | null;
}

/** Counts of the entries that a walk skipped, by reason. `isCut`: whether it left out entries beyond its limit. */
const none = { ignored: 0, secret: 0, hidden: 0, links: 0, special: 0, unreadable: 0, isCut: false };
type PassedBy = typeof none;

export type Walk = ReturnType<typeof walkFrom>;

const mostEntries = 200_000;
const sliceMs = 20;

/**
 * Walks the files below `starts`, each file once, sorted within each folder. Follows no link.
 * @returns passedBy: counts of skipped entries, complete after the last file; hasFolder: whether a start is a folder.
 */
export function walkFrom(starts: readonly RootedPath[], roots: readonly Root[], guard: Guard, options: WalkOptions) {
  const passedBy: PassedBy = { ...none };
  const walker = createWalker(roots, guard, options, passedBy);
  const hasFolder = starts.some(({ isFolder }) => isFolder);
  return { files: walkAll(starts, walker, options.signal), passedBy, hasFolder };
}

type Step =
  | { readonly folder: RootedPath; readonly below: string }
  | { readonly file: FoundFile; readonly real: string };

type Walker = ReturnType<typeof createWalker>;

async function* walkAll(starts: readonly RootedPath[], walker: Walker, signal: AbortSignal): AsyncGenerator<FoundFile> {
  const seen = new Set<string>();
  const rest = createPacer(sliceMs);
  for (const start of starts) {
    const stack = [walker.begin(start)];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      await rest();
      signal.throwIfAborted();
      if ('folder' in step) stack.push(...(await walker.list(step.folder, step.below)).reverse());
      else if (starts.length === 1 || !seen.has(step.real)) {
        if (starts.length > 1) seen.add(step.real);
        yield step.file;
      }
    }
  }
}

interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'special';
}

function createWalker(roots: readonly Root[], guard: Guard, options: WalkOptions, passedBy: PassedBy) {
  let entriesLeft = mostEntries;

  function found(root: Root, real: string, below: string, bytes: number): Step {
    return { file: { name: nameIn(root, real), below, bytes, open: () => openFound(root, real) }, real };
  }

  async function ownerOf({ name, kind }: Entry, real: string, folder: string): Promise<Root | null> {
    const isFolder = kind === 'folder';
    const owner = rootOf(roots, real, isFolder);
    if (owner === null) return null;
    const isNamed = owner.real === real;
    if (kind === 'link') passedBy.links++;
    else if (kind === 'special') passedBy.special++;
    else if (!isNamed && !options.hidden && name.startsWith('.')) passedBy.hidden++;
    else {
      const refusal = isNamed ? null : guard.judgeBy(await guard.rulesOf(owner, folder), owner, real, isFolder);
      if (refusal === null) return owner;
      passedBy[refusal]++;
    }
    return null;
  }

  async function toSteps({ entries, sizeOf }: Listing, folder: string, below: string): Promise<Step[]> {
    const steps: Step[] = [];
    for (const entry of entries) {
      const real = join(folder, entry.name);
      const inner = joinName(below, entry.name);
      const owner = await ownerOf(entry, real, folder);
      if (owner === null) continue;
      if (entry.kind === 'folder') steps.push({ folder: { root: owner, real, isFolder: true }, below: inner });
      else steps.push(found(owner, real, inner, options.sizes ? sizeOf(entry.name) : 0));
    }
    return steps;
  }

  /** Returns what to visit in a folder. `below`: its path relative to the start of the walk; empty for the start. */
  async function list({ root, real: folder }: RootedPath, below: string): Promise<Step[]> {
    const listing = listFolder(root, folder);
    if (listing === null) {
      passedBy.unreadable++;
      return [];
    }
    try {
      passedBy.isCut ||= listing.entries.length > entriesLeft;
      const entries = listing.entries.slice(0, entriesLeft);
      entriesLeft -= entries.length;
      return await toSteps({ ...listing, entries }, folder, below);
    } finally {
      listing.close();
    }
  }

  return {
    list,
    begin(place: RootedPath): Step {
      const { root, real, isFolder } = place;
      if (isFolder) return { folder: place, below: '' };
      return found(root, real, nameIn(root, real), lstatSync(real, { throwIfNoEntry: false })?.size ?? 0);
    },
  };
}

function openFound(root: Root, real: string): OpenFile | null {
  const checked = openChecked(real, 'file');
  if (checked === null) return null;
  if (checked.real === real && isUnchanged(root)) return toOpenFile(checked, nameIn(root, real));
  closeSync(checked.descriptor);
  return null;
}

type Listing = NonNullable<ReturnType<typeof listFolder>>;

/** Opens and lists a folder, which the caller closes. Null if the path now leads to another folder, or on failure. */
function listFolder(root: Root, folder: string) {
  let checked: Checked | null = null;
  try {
    checked = openChecked(folder, 'folder');
    if (checked === null) return null;
    const { descriptor, real } = checked;
    const place = hasFdPaths ? fdPath(descriptor) : folder;
    const entries = real === folder && isUnchanged(root) ? readEntries(place) : null;
    const sizeOf = (name: string) => lstatSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0;
    if (entries !== null && isStill(folder, checked)) return { entries, sizeOf, close: () => closeSync(descriptor) };
  } catch {
    // The folder was removed, or the system cannot read it.
  }
  if (checked !== null) closeSync(checked.descriptor);
  return null;
}

/** Whether a path still leads to the listed folder. Linux lists the open folder itself, so it needs no check. */
const isStill = (folder: string, { stats }: Checked): boolean =>
  hasFdPaths || fileIdentity(lstatSync(folder, { bigint: true })) === fileIdentity(stats);

/** Lists a folder, sorted by name. Omits names that are not UTF-8, because a model cannot request them. */
function readEntries(folder: string): Entry[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.includes('\uFFFD'))
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

const kinds: readonly (readonly [Exclude<keyof PassedBy, 'isCut'>, string])[] = [
  ['ignored', 'that ignore files name'],
  ['secret', 'that commonly hold secrets'],
  ['hidden', 'whose names begin with a dot (a glob such as .* asks for them)'],
  ['links', 'that are links'],
  ['special', 'that are no regular files'],
  ['unreadable', 'that cannot be read'],
];

/** Describes what a walk skipped; empty if it skipped nothing. */
export function passedByNotes(passedBy: PassedBy): string[] {
  const parts = kinds.filter(([key]) => passedBy[key] > 0).map(([key, words]) => `${passedBy[key]} ${words}`);
  const notes = parts.length === 0 ? [] : [`Passed by: ${parts.join(', ')}`];
  return passedBy.isCut ? [...notes, 'There are more files than can be gone through: name a folder'] : notes;
}
