/**
 * Searches 100 MB with our search, and with a plain loop over lines that uses native regular expressions. Measures how
 * long our search blocks the event loop.
 */

import { computedPassage } from '../src/context/computed-passage.ts';
import { searchDocuments } from '../src/context/search/search.ts';
import { createContextStore } from '../src/context/store/store.ts';
import { grep } from '../src/tools/texts/grep.ts';
import type { ToolWorld } from '../src/tools/tool.ts';

/** One pattern, searched by both. */
export interface SearchFigure {
  readonly what: string;
  readonly ms: number;
  /** Null if the native expression would not finish. */
  readonly plainMs: number | null;
  /** The longest time during which nothing else could run, in ms. */
  readonly blockedMs: number;
  readonly found: number;
}

const patterns: readonly { what: string; pattern: string; ignoreCase?: boolean; isEvil?: boolean }[] = [
  { what: 'a literal', pattern: 'disk quota' },
  { what: 'a word in any case', pattern: '\\bLEDGER\\b', ignoreCase: true },
  { what: 'an alternation', pattern: 'FATAL|quota|archive-\\d' },
  { what: 'a class without a literal', pattern: '[0-9]{5}5 [f]o[a-z]+' },
  { what: 'every line', pattern: '\\d+ ms$' },
  { what: 'an evil pattern', pattern: '(a+)+$', isEvil: true },
];

/** Log lines, all different; one in `accents` has characters outside ASCII. */
function textOf(bytes: number, accents: number): Buffer {
  const text = Buffer.alloc(bytes, '\n');
  let size = 0;
  for (let index = 0; size < bytes - 200; index++) {
    const who = index % accents === accents - 1 ? 'Zoë' : 'tenant';
    const line = `2026-03-17T12:${String(index % 60).padStart(2, '0')}:00Z INFO worker-${index % 97} handled request ${index} for ${who} t${(index * 7919) % 1013} in ${(index * 31) % 400} ms\n`;
    size += text.write(
      index % 200_000 === 199_999 ? 'FATAL Ledger writer: the disk quota of archive-7 was exceeded\n' : line,
      size,
    );
  }
  text.write('a'.repeat(150), bytes - 151);
  return text;
}

function plainLoop(text: Buffer, { pattern, ignoreCase }: (typeof patterns)[0]): number {
  const expression = new RegExp(pattern, ignoreCase ? 'i' : '');
  let found = 0;
  for (const line of text.toString('utf8').split('\n')) if (expression.test(line)) found++;
  return found;
}

/** Measures the longest time between two turns of the event loop. */
function watchTurns() {
  let longest = 0;
  let last = performance.now();
  let timer: NodeJS.Immediate;
  const turn = () => {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    timer = setImmediate(turn);
  };
  turn();
  return () => {
    clearImmediate(timer);
    return Math.max(longest, performance.now() - last);
  };
}

async function measure(text: Buffer, one: (typeof patterns)[0]): Promise<SearchFigure> {
  const { what, pattern, ignoreCase = false, isEvil = false } = one;
  const store = createContextStore([{ name: 'log', bytes: text }]);
  const signal = new AbortController().signal;
  const stop = watchTurns();
  const startedAt = performance.now();
  const { matches, more } = await searchDocuments(store, pattern, { ignoreCase, limit: 10 }, signal);
  const ms = performance.now() - startedAt;
  const blockedMs = stop();
  const found = matches.length + more;
  if (isEvil) return { what, ms, plainMs: null, blockedMs, found };
  const plainAt = performance.now();
  const same = plainLoop(text, one);
  if (same !== found) throw new Error(`${what}: ${found} lines found, and ${same} by the plain loop`);
  return { what, ms, plainMs: performance.now() - plainAt, blockedMs, found };
}

/** @param accents one line in this many has characters outside ASCII. */
export async function measureSearch(bytes: number, accents = Number.POSITIVE_INFINITY): Promise<SearchFigure[]> {
  const text = textOf(bytes, accents);
  const figures: SearchFigure[] = [];
  for (const one of patterns) figures.push(await measure(text, one));
  return figures;
}

/**
 * Patterns that a model may search for: with and without a literal, and with matches in no line, in few lines and in
 * all lines.
 */
const calls: readonly Parameters<typeof grep.run>[0][] = [
  { pattern: 'quota' },
  { pattern: 'disk|quota|exceeded' },
  { pattern: 'worker-42' },
  { pattern: 'request|handled' },
  { pattern: 'Zoë' },
  { pattern: 'tenant|t500|ledger' },
  { pattern: 'nothing|of|this|stands|here' },
  { pattern: 'handled', skip: 200_000 },
  { pattern: 'FATAL', caseSensitive: true },
  { pattern: 'request 99999\\d', caseSensitive: true },
  { pattern: 'worker-(1|2|3) handled' },
  { pattern: 't\\d+ in 399 ms' },
  { pattern: 'archive-\\d+ was' },
  { pattern: '[0-9]{5}5 [f]o[a-z]+', caseSensitive: true },
  { pattern: '\\d{7}' },
  { pattern: '\\d+ ms$' },
  { pattern: '[aeiou]{4,}' },
  { pattern: '\\bledger\\b' },
  { pattern: 'fatal|error|panic|abort' },
  { pattern: '(?:in|after) 39[0-9] ms$' },
];

/** Returns the times of 20 calls of `grep` over this many bytes, in ms, in order. */
export async function measureSearchCalls(bytes: number): Promise<readonly number[]> {
  const store = createContextStore([{ name: 'log', bytes: textOf(bytes, 5_000) }]);
  const { signal } = new AbortController();
  const bounds = { characters: 8_000, lines: 100 };
  const world: ToolWorld = {
    ...{ bounds, store, files: null, pieceBytes: 50_000, questions: null, signal },
    ...{ find: async () => [], note: () => '', compute: computedPassage },
  };
  const times: number[] = [];
  for (const given of calls) {
    const startedAt = performance.now();
    await grep.run(given, world);
    times.push(performance.now() - startedAt);
  }
  store.close();
  return times.sort((a, b) => a - b);
}
