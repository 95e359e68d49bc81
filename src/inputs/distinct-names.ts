import { extname } from 'node:path/posix';

/** Returns a function that makes names unique: a second `notes.md` is `notes (2).md`. */
export function createDistinctNames(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    const extension = extname(name);
    const stem = name.slice(0, name.length - extension.length);
    let count = counts.get(name) ?? 1;
    let distinct = name;
    while (taken.has(distinct)) distinct = `${stem} (${++count})${extension}`;
    counts.set(name, count);
    taken.add(distinct);
    return distinct;
  };
}
