import type { ContextStore } from '../../context/document.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { EventBody } from '../events.ts';

/** The passages that a run has given to models, from all its texts. */
export type GivenPassages = ReturnType<typeof createGivenPassages>;

export function createGivenPassages() {
  const known = new Map<string, Passage>();
  /** Indexes of the chunks that were read. Their passages are created on request. */
  const chunks = new Map<ContextStore, Set<number>>();
  const chunkOf = (store: ContextStore, index: number) => store.passageWithoutOverlap(store.chunk(index));
  return {
    remember(passages: readonly Passage[]): readonly Passage[] {
      for (const passage of passages) {
        const before = known.get(passage.id);
        // A chunk that was shown with preceding text may be cited with that text.
        if (before === undefined || passage.startByte <= before.startByte) known.set(passage.id, passage);
      }
      return passages;
    },
    read(store: ContextStore, indexes: readonly number[]): readonly Passage[] {
      const read = chunks.get(store) ?? new Set<number>();
      chunks.set(store, read);
      for (const index of indexes) read.add(index);
      return indexes.map((index) => chunkOf(store, index));
    },
    find(id: string): Passage | undefined {
      const holds = ([store, read]: [ContextStore, Set<number>]) => read.has(store.indexOf(id));
      const [store] = (known.has(id) ? null : [...chunks].find(holds)) ?? [];
      return store === undefined ? known.get(id) : chunkOf(store, store.indexOf(id));
    },
  };
}

export type SearchLog = ReturnType<typeof createSearchLog>;

/** Creates the log of the searches after the first search of each path. A repeated search is listed once. */
export function createSearchLog(emit: (event: EventBody) => void) {
  const byPath = new Map<string, Map<string, FurtherSearch>>();
  return {
    add(path: string, search: FurtherSearch): void {
      const searches = byPath.get(path) ?? new Map<string, FurtherSearch>();
      byPath.set(path, searches.set(search.query, search));
      emit({ type: 'search.completed', path, ...search });
    },
    at: (path: string): readonly FurtherSearch[] => [...(byPath.get(path)?.values() ?? [])],
  };
}
