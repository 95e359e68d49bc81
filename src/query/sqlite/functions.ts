import { RE2JS } from 're2js';
import { createMemo } from '../../base/memo.ts';
import { createTimeReader } from '../records/times.ts';
import type { Database } from './database.ts';

const mostPatterns = 1_000;

/**
 * Adds functions that SQLite lacks: `text REGEXP pattern`, `regexp_extract(text, pattern, group)`, and `utc(text)`,
 * which reads a time in any known format.
 */
export function addFunctions(database: Database): void {
  // The time of RE2 grows linearly with the text for any pattern.
  const compile = createMemo(mostPatterns, (pattern) => RE2JS.compile(pattern));
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
