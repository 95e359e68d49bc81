/** Creates, updates, watches and removes named indexes, which hold text that is ready to be searched. */
import { indexesFolder, stateFolder } from '../config/folders.ts';
import type { Configuration } from '../config/layers.ts';
import { bytesOf } from '../context/text-size.ts';
import type { IndexOutline } from '../indexes/kept-indexes.ts';
import type { Refreshed, RefreshRequest } from '../indexes/refresh.ts';
import type { WatchRequest } from '../indexes/watch-index.ts';

/** The progress callbacks and the signal of a refresh. */
export type RefreshOptions = Partial<Pick<RefreshRequest, 'onReading' | 'onIndexing' | 'signal'>>;

/** Options of an update. */
export interface UpdateOptions extends RefreshOptions {
  /** Whether to read all files, including unchanged ones; default: no. */
  readonly readsAll?: boolean;
  /** Whether the update may remove more than half of the files, or all files of a path; default: no. */
  readonly force?: boolean;
}

/** Options for watching an index. */
export interface WatchOptions extends RefreshOptions, Pick<WatchRequest, 'onBatch' | 'onRefused'> {
  /** Seconds between checks of all files. Null (default): the operating system reports changes. */
  readonly poll?: number | null;
}

const load = () => import('../indexes/kept-indexes.ts');

const folderOf = ({ settings, env }: Configuration): string => indexesFolder(stateFolder(settings, env));

/** Returns the names of all indexes, sorted. Throws RlmError `index-missing` when they cannot be read. */
export async function indexNames(configuration: Configuration): Promise<readonly string[]> {
  return (await load()).indexNames(folderOf(configuration));
}

/** Outlines all indexes, in the order of their names. Throws RlmError `index-missing` when they cannot be read. */
export async function listIndexes(configuration: Configuration): Promise<readonly IndexOutline[]> {
  return (await load()).listIndexes(folderOf(configuration));
}

async function checkNames(names: readonly string[], configuration: Configuration): Promise<void> {
  const kept = await load();
  const known = kept.indexNames(folderOf(configuration));
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw kept.noSuchIndex(folderOf(configuration), wrong);
}

/**
 * Removes indexes. Removes none if a name is unknown. A process that has an index open can still read it.
 * @throws RlmError `index-missing`, `index-busy`, `output-unwritable`.
 */
export async function removeIndexes(names: readonly string[], configuration: Configuration): Promise<void> {
  await checkNames(names, configuration);
  const { removeIndex } = await load();
  for (const name of new Set(names)) removeIndex(folderOf(configuration), name);
}

function requestFor(
  name: string,
  configuration: Configuration,
  { signal = new AbortController().signal, onReading = () => {}, onIndexing = () => {} }: RefreshOptions,
) {
  const { inputs, visionModel } = configuration.settings;
  const notesPages = visionModel !== 'off';
  return { name, indexes: folderOf(configuration), inputs, notesPages, signal, onReading, onIndexing };
}

async function refresh(request: Omit<RefreshRequest, 'watcher'>): Promise<Refreshed> {
  const { refreshIndex } = await import('../indexes/refresh.ts');
  return refreshIndex({ ...request, watcher: null });
}

/**
 * Creates an index of files, folders and globs, or adds them to an existing index.
 * @param paths relative to the folder of the configuration.
 * @throws RlmError as `ask` does for unusable input; `index-busy`, `index-outdated`, `index-damaged`, `index-shrunk`,
 *   `no-space`, `output-unwritable`, `input-empty` for an index without text; the signal's reason.
 */
export function addToIndex(
  name: string,
  paths: readonly string[],
  configuration: Configuration,
  options: RefreshOptions = {},
): Promise<Refreshed> {
  const { context, inputs } = configuration.settings;
  const reading = { kind: context.chunking, chunkBytes: bytesOf(context.chunkTokens), encoding: inputs.encoding };
  const addition = { cwd: configuration.cwd, paths, reading };
  return refresh({ ...requestFor(name, configuration, options), addition, readsAll: false, force: false });
}

/**
 * Updates an index: reads the files that have changed.
 * @throws RlmError as `addToIndex` does, and `index-missing`.
 */
export async function updateIndex(
  name: string,
  configuration: Configuration,
  { readsAll = false, force = false, ...options }: UpdateOptions = {},
): Promise<Refreshed> {
  await checkNames([name], configuration);
  return refresh({ ...requestFor(name, configuration, options), addition: null, readsAll, force });
}

/**
 * Updates an index now and whenever its files change, until the signal aborts. Then rejects with the signal's reason.
 * @throws RlmError as `updateIndex` does; `watch-unavailable`, `index-busy` if another process watches the index.
 */
export async function watchIndex(name: string, configuration: Configuration, options: WatchOptions): Promise<never> {
  await checkNames([name], configuration);
  const { watchIndex: watch } = await import('../indexes/watch-index.ts');
  const { onBatch, onRefused, poll = null } = options;
  const pollMs = poll === null ? null : poll * 1000;
  return watch({ ...requestFor(name, configuration, options), pollMs, onBatch, onRefused });
}
