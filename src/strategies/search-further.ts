import { isForgivable, RlmError } from '../errors.ts';
import type { Reply } from '../prompts/index.ts';
import { renderSearched, type SearchesLeft } from '../prompts/search.ts';
import type { Run } from '../run/run.ts';
import type { FurtherSearch, Passage } from '../state.ts';
import { allotmentLeft, type Question, takenBy } from './strategy.ts';

/** Rounds of further searches for a question, at most, within the run's budget. */
const mostRounds = 3;
const mostSearchesAtOnce = 3;
const longestQuery = 300;

/** An answer, with the passages that it is based on. */
export interface Answered {
  readonly reply: Reply<'answer'>;
  readonly passages: readonly Passage[];
  /** The passages as the prompt showed them, possibly shortened. */
  readonly shown: readonly Passage[];
  readonly searches: readonly FurtherSearch[];
}

/** What a question has seen so far. */
interface Trail {
  passages: readonly Passage[];
  readonly searches: FurtherSearch[];
  /** The answer of the last reply with one. */
  draft: Omit<Answered, 'searches'> | null;
}

/**
 * Asks for an answer or further searches; null when the call failed, and the question is answered from the passages at
 * hand.
 */
async function askRound(asked: Question, { passages, searches }: Trail, left: SearchesLeft, run: Run) {
  const { question, path, known, criteria } = asked;
  const variables = { question, passages, known, criteria, searched: searches, left };
  try {
    return await run.ask('search', variables, {
      path,
      share: 'ordinary',
      part: `round-${mostRounds - left.rounds + 1}`,
    });
  } catch (error) {
    if (!isForgivable(error)) throw error;
    run.events.warn(`${error.message}; "${question}" is answered without further searches`);
    return null;
  }
}

const plain = (query: string): string => query.trim().toLowerCase();

/** Returns the queries that are new. */
function newQueries(queries: readonly string[], { searches }: Trail): string[] {
  const known = new Set(searches.map(({ query }) => plain(query)));
  const short = queries.map((query) => query.slice(0, longestQuery).trim());
  const fresh = short.filter((query) => !known.has(plain(query)) && known.add(plain(query)));
  return fresh.slice(0, mostSearchesAtOnce);
}

/** Makes searches sequentially, so that a resumed run makes the same ones. Returns their number. */
async function searchFor(queries: readonly string[], asked: Question, trail: Trail, run: Run): Promise<number> {
  const { path } = asked;
  const inPrompt = new Set(trail.passages.map(({ id }) => id));
  const groups: (readonly Passage[])[] = [];
  for (const query of queries) {
    if (run.budget.fetchesLeft() === 0) break;
    const passages = await run.passages.findMore({ query, takenBytes: takenBy(asked), path, exclude: inPrompt });
    const found = passages.map(({ id }) => id);
    trail.searches.push({ query, found });
    groups.push(passages);
    run.events.emit({ type: 'search.completed', path, query, found });
  }
  const taken = takenBy(asked) + Buffer.byteLength(renderSearched(trail.searches));
  trail.passages = run.passages.fit([...groups, trail.passages], taken, path);
  return groups.length;
}

/** Whether the budget pays for another search, its call and the answering call. */
const maySearch = (asked: Question, run: Run): boolean =>
  !run.text.fits && allotmentLeft(asked, run) >= 2 && run.budget.fetchesLeft() > 0;

/** Offers and makes searches until a reply requests none. Returns whether that reply has the answer. */
async function searchInRounds(asked: Question, trail: Trail, run: Run): Promise<boolean> {
  for (let rounds = mostRounds; rounds > 0 && maySearch(asked, run); rounds--) {
    const reply = await askRound(asked, trail, { rounds, searches: rounds * mostSearchesAtOnce }, run);
    if (reply === null) return false;
    if (reply.answer !== '') trail.draft = { reply, passages: trail.passages, shown: trail.passages };
    const queries = newQueries(reply.searches, trail);
    if (queries.length === 0) return reply.answer !== '';
    if ((await searchFor(queries, asked, trail, run)) === 0) return false;
  }
  return false;
}

/**
 * Answers from passages; the model may request further searches first. When no more searches are possible, it is asked
 * once more without the offer. When that call fails, the answer of an earlier round is used, with a warning.
 * @param answer answers from passages without the offer.
 * @throws RlmError the reason why there is no answer.
 */
export async function answerSearching(
  asked: Question,
  passages: readonly Passage[],
  run: Run,
  answer: (passages: readonly Passage[]) => Promise<Answered>,
): Promise<Answered> {
  const trail: Trail = { passages, searches: [], draft: null };
  try {
    const isAnswered = await searchInRounds(asked, trail, run);
    const last = isAnswered && trail.draft !== null ? trail.draft : await answer(trail.passages);
    return { ...last, searches: trail.searches };
  } catch (error) {
    if (!(error instanceof RlmError) || trail.draft === null) throw error;
    run.events.warn(`"${asked.question}" is answered from what was known before its last search: ${error.message}`);
    return { ...trail.draft, searches: trail.searches };
  }
}
