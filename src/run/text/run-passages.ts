import type { ContextStore } from '../../context/document.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { PassageFinder, Search } from './find-passages.ts';
import { createReadChunks, type GivenPassages } from './given-passages.ts';
import type { SearchLog } from './search-log.ts';

/** Passages of a run's text. What it gives is remembered: a citation may name it from then on. */
export interface RunPassages {
  /** Passages for a question: all of the text where it fits, else the best ones. Rejects as `PassageFinder.find`. */
  find(search: Search): Promise<readonly Passage[]>;
  /** Passages besides those that the search excludes; none when nothing matches. */
  findMore(search: Search): Promise<readonly Passage[]>;
  /**
   * As many of the passages as a prompt at that place has room for, each group in its turn. Throws
   * `prompt-too-long`.
   */
  fit: PassageFinder['fit'];
  /** The chunks of the text with these indexes, without the text that they share with others. */
  at(indexes: readonly number[]): readonly Passage[];
  /** By id, in that order; ids that were never given are left out. */
  byId(ids: readonly string[]): readonly Passage[];
  /** Remembers passages that a tool has read somewhere else. */
  give(passages: readonly Passage[]): void;
  /** Searches that code has made for a place of `Search`, besides the first. */
  searchedAt(path: string): readonly FurtherSearch[];
}

/** What passages come from, and what watches over looking for them. */
interface PassageParts {
  readonly store: ContextStore;
  readonly finder: PassageFinder;
  readonly given: GivenPassages;
  readonly searches: SearchLog;
  /** Aborted when ordinary work must end. */
  readonly signal: AbortSignal;
  /** Notes what goes wrong, so that a run that is to stop does. */
  watch<T>(work: Promise<T>): Promise<T>;
}

export function createRunPassages({ store, finder, given, searches, signal, watch }: PassageParts): RunPassages {
  const chunks = createReadChunks(store);
  given.lookIn(chunks.find);
  return {
    find: (search) => watch(finder.find(search, signal)),
    findMore: (search) => watch(finder.findMore(search, signal)),
    fit: finder.fit,
    at: chunks.read,
    byId: (ids) => ids.flatMap((id) => given.find(id) ?? []),
    give: (passages) => void given.remember(passages),
    searchedAt: searches.at,
  };
}
