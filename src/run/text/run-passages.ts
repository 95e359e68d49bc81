import type { ContextStore } from '../../context/document.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { PassageFinder, Search } from './find-passages.ts';
import { createReadChunks, type GivenPassages } from './given-passages.ts';
import type { SearchLog } from './search-log.ts';

/** Gives passages of a run's text, and remembers them: a citation may name only a passage that was given. */
export interface RunPassages {
  /**
   * Finds passages for a question: the whole text where it fits, else the best passages. Rejects as
   * `PassageFinder.find` does.
   */
  find(search: Search): Promise<readonly Passage[]>;
  /**
   * Finds passages that fill a room in bytes of ordinary text, completed by their neighbours; the whole text where it
   * fits. Rejects as `PassageFinder.findWhole` does.
   */
  findWhole(search: Search, roomBytes: number): Promise<readonly Passage[]>;
  /** Finds passages other than those that the search excludes; empty when nothing matches. */
  findMore(search: Search): Promise<readonly Passage[]>;
  /**
   * Returns as many of the passages as fit a prompt at that path, taken from each group in turn. Throws
   * `prompt-too-long`.
   */
  fit: PassageFinder['fit'];
  /** Returns the chunks with these indexes, without the text that neighbouring chunks repeat. */
  at(indexes: readonly number[]): readonly Passage[];
  /** Returns passages by id, in the order of the ids; ids that were never given are left out. */
  byId(ids: readonly string[]): readonly Passage[];
  /** Remembers passages that a tool read elsewhere. */
  give(passages: readonly Passage[]): void;
  /** Returns the searches that code made for a path besides the first. */
  searchedAt(path: string): readonly FurtherSearch[];
}

/** What `createRunPassages` needs. */
interface PassageParts {
  readonly store: ContextStore;
  readonly finder: PassageFinder;
  readonly given: GivenPassages;
  readonly searches: SearchLog;
  /** Aborted when ordinary work must end. */
  readonly signal: AbortSignal;
  /** Records a failure of the work that ends the run. */
  watch<T>(work: Promise<T>): Promise<T>;
}

export function createRunPassages({ store, finder, given, searches, signal, watch }: PassageParts): RunPassages {
  const chunks = createReadChunks(store);
  given.lookIn(chunks.find);
  return {
    find: (search) => watch(finder.find(search, signal)),
    findWhole: (search, roomBytes) => watch(finder.findWhole(search, roomBytes, signal)),
    findMore: (search) => watch(finder.findMore(search, signal)),
    fit: finder.fit,
    at: chunks.read,
    byId: (ids) => ids.flatMap((id) => given.find(id) ?? []),
    give: (passages) => void given.remember(passages),
    searchedAt: searches.at,
  };
}
