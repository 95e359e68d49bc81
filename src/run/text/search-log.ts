import type { FurtherSearch } from '../../state.ts';
import type { EventBody } from '../events.ts';

/** The searches that code made for each path besides the first. */
export interface SearchLog {
  add(path: string, search: FurtherSearch): void;
  /** @param path as in `Search`. */
  at(path: string): readonly FurtherSearch[];
}

/** Creates an empty log. A repeated search, such as one for a shorter prompt, is listed once. */
export function createSearchLog(emit: (event: EventBody) => void): SearchLog {
  const byPath = new Map<string, Map<string, FurtherSearch>>();
  return {
    add(path, search) {
      const searches = byPath.get(path) ?? new Map<string, FurtherSearch>();
      byPath.set(path, searches.set(search.query, search));
      emit({ type: 'search.completed', path, ...search });
    },
    at: (path) => [...(byPath.get(path)?.values() ?? [])],
  };
}
