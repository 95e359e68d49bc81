import { RE2JS } from 're2js';
import { createTimeReader } from '../records/times.ts';
import type { Database } from './database.ts';

const mostPatterns = 1_000;

/** Compiles patterns once. The engine takes time linear in the text for any pattern. */
function createPatterns(): (pattern: string) => RE2JS {
  const known = new Map<string, RE2JS>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    if (known.size >= mostPatterns) known.clear();
    const compiled = RE2JS.compile(pattern);
    known.set(pattern, compiled);
    return compiled;
  };
}

/**
 * Adds the functions that SQLite lacks: `text REGEXP pattern`, `regexp_extract(text, pattern, group)` and `utc(text)`,
 * which reads a time of any known format.
 */
export function addFunctions(database: Database): void {
  const compile = createPatterns();
  const times = createTimeReader(null, true);
  database.addFunction('regexp', 2, (pattern, text) =>
    pattern === null || text === null ? null : Number(compile(pattern).test(text)),
  );
  const extract = (text: string | null, pattern: string | null, group: string | null = '1'): string | null => {
    if (text === null || pattern === null) return null;
    const matcher = compile(pattern).matcher(text);
    const wanted = Math.min(Number(group), matcher.groupCount());
    return matcher.find() ? matcher.group(wanted) : null;
  };
  database.addFunction('regexp_extract', 2, extract);
  database.addFunction('regexp_extract', 3, extract);
  database.addFunction('utc', 1, (text) => (text === null ? null : (times.read(text.trim())?.time ?? null)));
}
