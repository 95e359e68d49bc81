/**
 * Search by words on a server that finds passages by a pattern, without an order and without a count. What a pattern
 * finds is fetched up to a bound, so a pattern that finds more is narrowed until everything it finds is there.
 */
import { contentTerms } from '../../context/words/terms.ts';
import { createCandidates } from '../lexical/candidate-ranking.ts';
import type { ScoredDocument, ServerDocument } from './server-passages.ts';

/**
 * Finds passages whose text fits every one of the patterns, at most `limit` of them, in the order of the collection.
 */
export type FindByPatterns = (patterns: readonly string[], limit: number) => Promise<readonly ServerDocument[]>;

/** Passages that one request fetches at most. */
const batchSize = 300;
/** Words of a query that are searched for; a longer one is told by its first ones. */
const maxTerms = 32;
/** Patterns that have to fit together at most, where one alone finds too much. */
const maxTogether = 4;

const syntax = /[\\^$.*+?()[\]{}|]/g;

/**
 * A pattern (in the syntax of Rust's regex crate) for the words that have this term. Their endings vary, and the ending
 * `y` becomes `i` in a term; a short word is looked for as a whole, with its endings, since it stands in too many
 * others.
 */
function patternOf(term: string): string {
  if (/^[a-z]{2,3}$/.test(term)) return `\\b${shortPattern(term)}\\b`;
  if (/^[a-z0-9]{1,3}$/.test(term)) return `\\b${term}\\b`;
  const root = /^[a-z]+[ie]$/.test(term) ? term.slice(0, -1) : term;
  return root.replace(syntax, '\\$&');
}

/** `log` and `logs`, `add` and `adding`, `set` and `setting`, `tri` for `try` and `tries`. */
function shortPattern(term: string): string {
  const last = term.at(-1)!;
  const root = last === 'i' ? `${term.slice(0, -1)}[iy]` : term;
  return `${root}(?:e?s|${last}?(?:ed|ing))?`;
}

/** The words as they stand in the query as well, for those that have accents. */
function patternsOf(query: string): Map<string, string> {
  const distinct = [...new Set(contentTerms(query))].slice(0, maxTerms);
  const accented = query.toLowerCase().match(/[\p{L}\p{M}]*[^\p{ASCII}\P{L}][\p{L}\p{M}]*/gu) ?? [];
  return new Map(
    distinct.map((term) => {
      const asWritten = accented.filter((word) => contentTerms(word).includes(term) && word !== term);
      return [term, [patternOf(term), ...asWritten].join('|')];
    }),
  );
}

/** Fetches candidates, and learns of which terms every holder was fetched. */
function createGathering(patterns: ReadonlyMap<string, string>, find: FindByPatterns) {
  const candidates = createCandidates();
  const complete = new Set<string>();
  const any = (terms: readonly string[]) => `(?i)${terms.map((term) => patterns.get(term)!).join('|')}`;
  // Where there is too much anyway, what stands in the middle of other words is done without.
  const atStart = (term: string) => `(?i)${/^\w/.test(term) ? '(?:\\b|_)' : ''}(?:${patterns.get(term)!})`;

  /** Whether all that fits the patterns was fetched. */
  async function fetch(wanted: readonly string[]): Promise<boolean> {
    const documents = await find(wanted, batchSize);
    candidates.add(documents);
    return documents.length < batchSize;
  }

  return {
    candidates,
    isComplete: (term: string) => complete.has(term),
    async fetchAny(terms: readonly string[]): Promise<boolean> {
      const isWhole = await fetch([any(terms)]);
      if (isWhole) for (const term of terms) complete.add(term);
      return isWhole;
    },
    fetchAll: (terms: readonly string[]) => fetch(terms.map(atStart)),
    rarestFirst: (terms: readonly string[]) =>
      [...terms].sort((one, other) => candidates.holders(one) - candidates.holders(other)),
  };
}

type Gathering = ReturnType<typeof createGathering>;

/** Half of the terms at a time, the rarer one, until all that hold one of them are there. */
async function narrow({ fetchAny, rarestFirst }: Gathering, isWhole: boolean, all: readonly string[]): Promise<void> {
  for (let terms = all; !isWhole && terms.length > 1; ) {
    terms = rarestFirst(terms).slice(0, Math.ceil(terms.length / 2));
    if (await fetchAny(terms)) return;
  }
}

/** Of terms that each stand in too many passages, those passages that hold several. */
async function combine({ fetchAll, rarestFirst, isComplete }: Gathering, all: readonly string[]): Promise<void> {
  const frequent = rarestFirst(all.filter((term) => !isComplete(term)));
  for (let count = 2; count <= Math.min(maxTogether, frequent.length); count++) {
    if (await fetchAll(frequent.slice(0, count))) return;
  }
}

/**
 * The passages that match a query by its words, with their scores. Where a word stands in very many passages, those
 * that hold it alone may be missing.
 * @param all how many passages there are.
 */
export async function findByWords(query: string, all: number, find: FindByPatterns): Promise<ScoredDocument[]> {
  const patterns = patternsOf(query);
  const terms = [...patterns.keys()];
  if (terms.length === 0) return [];
  const gathering = createGathering(patterns, find);
  const { candidates } = gathering;
  const isWhole = await gathering.fetchAny(terms);
  const inSample = new Map(terms.map((term) => [term, candidates.holders(term)]));
  await narrow(gathering, isWhole, terms);
  await combine(gathering, terms);
  return candidates.rank(query, estimateHolders(gathering, inSample, all), all);
}

/**
 * How many passages hold a term: counted where every holder was fetched, else estimated from its share of the first
 * passages that were fetched. Of how many those are a sample is told by the terms that were counted.
 * @param inSample how many of the first passages hold each term.
 */
function estimateHolders({ candidates, isComplete }: Gathering, inSample: ReadonlyMap<string, number>, all: number) {
  const counted = [...inSample].filter(([term, count]) => isComplete(term) && count > 0);
  const total = counted.reduce((sum, [term]) => sum + candidates.holders(term), 0);
  const sampled = counted.reduce((sum, [, count]) => sum + count, 0);
  const scale = Math.min(all / batchSize, sampled === 0 ? Number.POSITIVE_INFINITY : total / sampled);
  return (term: string): number => {
    const found = candidates.holders(term);
    return isComplete(term) ? found : Math.max(found, Math.round((inSample.get(term) ?? 0) * scale));
  };
}
