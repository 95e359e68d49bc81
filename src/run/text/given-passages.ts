import type { ContextStore } from '../../context/document.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { EventBody } from '../events.ts';

/** The passages that a run has given to models, from all its texts. */
export type GivenPassages = ReturnType<typeof createGivenPassages>;

export function createGivenPassages() {
  const known = new Map<string, Passage>();
  const others: ((id: string) => Passage | undefined)[] = [];
  return {
    remember(passages: readonly Passage[]): readonly Passage[] {
      for (const passage of passages) {
        const before = known.get(passage.id);
        // A chunk that was shown with preceding text may be cited with that text.
        if (before === undefined || passage.startByte <= before.startByte) known.set(passage.id, passage);
      }
      return passages;
    },
    /** Adds a source in which `find` also looks; its passages are not stored a second time. */
    lookIn: (find: (id: string) => Passage | undefined): void => void others.push(find),
    find(id: string): Passage | undefined {
      for (const find of [(wanted: string) => known.get(wanted), ...others]) {
        const passage = find(id);
        if (passage !== undefined) return passage;
      }
      return undefined;
    },
  };
}

/** Remembers the indexes of chunks that were read, and creates their passages again when they are requested by id. */
export function createReadChunks(store: ContextStore) {
  const wasRead = new Set<number>();
  const passage = (index: number) => store.plainPassage(store.chunk(index));
  return {
    read(indexes: readonly number[]): readonly Passage[] {
      for (const index of indexes) wasRead.add(index);
      return indexes.map(passage);
    },
    /** Returns a passage that was read, or undefined. */
    find(id: string): Passage | undefined {
      const index = store.indexOf(id);
      return wasRead.has(index) ? passage(index) : undefined;
    },
  };
}

export type SearchLog = ReturnType<typeof createSearchLog>;

/** Creates the log of a run's searches by path besides the first. A repeated one, such as for a shorter prompt, counts once. */
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
