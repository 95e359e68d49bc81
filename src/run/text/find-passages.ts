import type { Settings } from '../../config/settings.ts';
import { isSourceTree } from '../../context/chunkers/languages.ts';
import type { ContextStore } from '../../context/document.ts';
import { weigh } from '../../context/text-size.ts';
import { withUnder } from '../../context/under/passage-under.ts';
import { contentTerms } from '../../context/words/terms.ts';
import { RlmError, type Warn } from '../../errors.ts';
import type { Query, Retriever, ServerAccess } from '../../retrievers/retriever.ts';
import type { FurtherSearch, Passage } from '../../state.ts';
import type { Budget } from '../door/budget.ts';
import { withRetries } from '../door/retry.ts';
import { passageOverheadBytes, passageSizeOf, textBytesOf, type Window } from '../door/window.ts';
import { createPassageCount, fitInTurns } from './fit-passages.ts';
import type { GivenPassages } from './given-passages.ts';
import { wholePassages } from './whole-passages.ts';

/** Number of best passages of the first search that are followed up, each with one further search. */
const followed = 2;
/** Maximum number of passages that a second search adds, over all its queries. */
export const mostAdded = 4;
/** If the best passage lacks fewer words of the question than this, there is no second search. */
const fewestLacking = 2;
const mostNames = 24;

const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const name = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu;
const year = /(?<!\d)(?:1\d|20)\d\d(?!\d)/g;

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([one]) => one)),
];

function lackingIn({ text }: Passage, words: readonly string[]): string[] {
  const had = new Set(contentTerms(text));
  return words.filter((one) => contentTerms(one).some((term) => !had.has(term)));
}

function namedIn({ text }: Passage, asked: ReadonlySet<string>): string[] {
  const isNew = (one: string) => {
    const terms = contentTerms(one);
    return terms.length > 0 && terms.every((term) => !asked.has(term));
  };
  return [...matches(text, name), ...matches(text, year)].filter(isNew).slice(0, mostNames);
}

/**
 * Returns the queries of a second search, one for each of the best passages. A query contains the words of the question
 * that the passage lacks, each of them twice. It also contains the names and years of the passage that the question
 * lacks. There are no queries if the best passage has nearly all of the question's words, because it probably has the
 * answer.
 * @param found passages of the first search, best first.
 */
export function followUpQueries(question: string, found: readonly Passage[]): string[] {
  const words = matches(question, word).filter((one) => contentTerms(one).length > 0);
  const lacking = found.slice(0, followed).map((passage) => lackingIn(passage, words));
  if ((lacking[0]?.length ?? 0) < fewestLacking) return [];
  const asked = new Set(contentTerms(question));
  const queries = lacking.map((missing, place) => [...missing, ...missing, ...namedIn(found[place]!, asked)].join(' '));
  return [...new Set(queries)].filter((query) => query !== '');
}

/**
 * Searches again for what a first search did not find, with at most two queries.
 * @param query the query of the first search; its text begins with the question.
 * @returns for each query the passages that it adds, best first. Their scores are scaled: the best passage of each
 *   query gets the lowest score of the first search.
 */
export async function searchAgain(
  find: (query: Query) => Promise<readonly Passage[]>,
  query: Query,
  found: readonly Passage[],
  mayAsk: () => boolean,
): Promise<readonly (readonly Passage[])[]> {
  const focus = query.text.split('\n', 1)[0]!;
  const exclude = new Set([...(query.exclude ?? []), ...found.map(({ id }) => id)]);
  const least = Math.min(...found.map(({ score }) => score));
  const groups: Passage[][] = [];
  for (const text of followUpQueries(focus, found)) {
    if (!mayAsk()) break;
    const more = await find({ ...query, text, focus, limit: mostAdded, exclude, byWords: true });
    groups.push(more.map((passage) => ({ ...passage, score: (least * passage.score) / more[0]!.score })));
  }
  return groups;
}

function createFollowUp({ store, local, settings, budget, onSearch }: FinderParts) {
  // A source tree gets no second search, because its names occur in files of any topic.
  const mayFollow = () => store.chunkCount > 0 && !isSourceTree(store.documents);

  return async (
    { query, path }: { readonly query: string; readonly path: string },
    found: readonly Passage[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> => {
    const room = maxBytes - found.reduce((sum, { text }) => sum + weigh(text), 0);
    if (found.length === 0 || !mayFollow() || room < passageSizeOf(settings.context)) return found;
    const find = async (wanted: Query) => {
      budget.takeFetch();
      const more = await local.retrieve(wanted, signal);
      onSearch(path, { query: wanted.text, found: more.map(({ id }) => id) });
      return more;
    };
    const first = { text: query, limit: found.length, maxBytes: room };
    const groups = await searchAgain(find, first, found, () => budget.fetchesLeft() > 0);
    return [...found, ...fitInTurns(groups, room).slice(0, mostAdded)];
  };
}

/** The dependencies of `createPassageFinder`. */
export interface FinderParts {
  readonly store: ContextStore;
  /** Searches only the store. It is used for the second search, because a search server is asked once per question. */
  readonly local: Retriever;
  readonly settings: Settings;
  readonly budget: Budget;
  /** Called for each search after the first. */
  onSearch(path: string, search: FurtherSearch): void;
  readonly retriever: Retriever;
  readonly windowAt: (path: string) => Window;
  readonly given: GivenPassages;
  readonly warn: Warn;
}

export interface Search {
  readonly query: string;
  /** The wider question that the query is a part of. */
  readonly focus?: string;
  /** Bytes of the prompt that were not counted when the window was chosen, such as known answers. */
  readonly takenBytes?: number;
  /** Path of the node for which the passages are found, or a stage's name. */
  readonly path: string;
  /**
   * Passages of related questions. For each of these passages that the search finds again, one new passage is added if
   * it matches well.
   */
  readonly inHand?: readonly Passage[];
  readonly exclude?: ReadonlySet<string>;
  /** Suppresses the warning if nothing matches, because code may compute the answer. */
  readonly isQuiet?: boolean;
}

/**
 * The first search may fill this share of the room; the rest is for the second search. This applies only to a search
 * for more passages than `context.passages`.
 */
const forFirstSearch = 7 / 8;
/** Bytes of a short passage with its tags. A wide search asks for as many passages of this size as fit the room. */
const leastPassageBytes = 4 * passageOverheadBytes;

/**
 * Creates the error for a window without room for a passage. An answer without passages would look as if it came
 * from the text.
 */
const noRoom = (tokens: number) =>
  new RlmError('prompt-too-long', `the window of ${tokens} tokens has no room for a passage of the text`, {
    hint: 'Lower context.chunkTokens (--chunk-tokens) or reply.maxTokens, or use a model with a larger window.',
  });

/**
 * Returns the usual number of passages, best first. For each of them that is already in hand, adds a new passage that
 * matches well, if there is one. New passages that match badly would distract more than they help.
 * @param nearBest the share of the best score that an added passage needs. If undefined, no passage is added.
 */
function takeNew(
  ordered: readonly Passage[],
  nearBest: number | undefined,
  usual: (passages: readonly Passage[]) => readonly Passage[],
  inHand: readonly Passage[],
): readonly Passage[] {
  const had = new Set(inHand.map(({ id }) => id));
  const unseen = ordered.filter(({ id }) => !had.has(id));
  const surplus = unseen[usual(unseen).length];
  const all = surplus === undefined ? ordered : ordered.slice(0, ordered.indexOf(surplus));
  const best = Math.max(0, ...all.map(({ score }) => score));
  const leastScore = nearBest === undefined ? Number.POSITIVE_INFINITY : nearBest * best;
  return all.filter(({ score }, place) => place < usual(all).length || score >= leastScore);
}

/**
 * Returns the passages that fit `maxBytes` bytes of ordinary text. Retrievers count bytes, but some text has more
 * tokens per byte.
 */
function lightEnough(passages: readonly Passage[], maxBytes: number): readonly Passage[] {
  let room = maxBytes;
  return passages.filter(({ text }) => {
    const weight = weigh(text);
    if (weight > room) return false;
    room -= weight;
    return true;
  });
}

function beginnings(store: ContextStore, limit: number, maxBytes: number): Passage[] {
  const found: Passage[] = [];
  let room = maxBytes;
  for (let [index, seen] = [0, 0]; index < store.chunkCount && seen < limit; index++) {
    const chunk = store.chunk(index);
    if (chunk.startByte > 0) continue;
    seen++;
    room -= chunk.endByte - chunk.startByte;
    if (room >= 0) found.push(store.passage(chunk, 0));
  }
  return found;
}

/**
 * Creates the access to a search server. The caller has already counted the first request as a search. The access
 * counts each further request as another search.
 */
function serverAccess({ budget, warn }: Pick<FinderParts, 'budget' | 'warn'>, signal: AbortSignal): ServerAccess {
  let isPaid = true;
  const options = {
    signal,
    timeLeftMs: () => budget.timeLeftMs('ordinary'),
    mayRetry: () => true,
    onRetry: (_attempt: number, _waitMs: number, { message }: RlmError) =>
      warn('search', `${message}; the request was repeated`),
  };
  const paying = async <T>(send: () => Promise<T>): Promise<T> => {
    if (!isPaid) budget.takeFetch();
    isPaid = false;
    return send();
  };
  return { request: (send) => withRetries(() => paying(send), options), warn: (message) => warn('search', message) };
}

export function createPassageFinder(parts: FinderParts) {
  const { store, retriever, settings, windowAt, budget, given, warn } = parts;
  const { passages: limit } = settings.context;
  const count = createPassageCount(store, settings.context);
  const textBytes = textBytesOf(store);
  const passageSize = passageSizeOf(settings.context);
  const leastLook = 2 * (passageSize + passageOverheadBytes);
  const followUp = createFollowUp(parts);

  const surrounded = (found: readonly Passage[]) => found.map((passage) => withUnder(store, passage));
  const whole = () =>
    Array.from({ length: store.chunkCount }, (_, index) => store.passageWithoutOverlap(store.chunk(index)));

  async function best(search: Search, maxBytes: number, signal: AbortSignal, passages = limit) {
    const { query, focus, inHand = [], exclude } = search;
    const wanted = passages + inHand.length;
    const asked = { text: query, ...(focus && { focus }), ...(exclude && { exclude }), maxBytes };
    const access = serverAccess(parts, signal);
    const found = await retriever.retrieve({ ...asked, limit: count.mostFor(wanted) }, signal, access);
    return takeNew(count.first(found, wanted), retriever.nearBest, (all) => count.first(all, passages), inHand);
  }

  /**
   * Finds passages by one or two searches. The passages of the second search come after the `limit` best passages of
   * the first search.
   */
  async function lookUp(search: Search, maxBytes: number, signal: AbortSignal, passages = limit) {
    if (maxBytes < passageSize) throw noRoom(windowAt(search.path).tokens);
    budget.takeFetch();
    const firstBytes = passages === limit ? maxBytes : maxBytes * forFirstSearch;
    const suiting = lightEnough(await best(search, firstBytes, signal, passages), firstBytes);
    const all = await followUp(search, suiting, maxBytes, signal);
    const usual = passages === limit ? suiting.length : count.first(suiting, limit).length;
    const found = [...suiting.slice(0, usual), ...all.slice(suiting.length), ...suiting.slice(usual)];
    if (found.length > 0) return found;
    if (search.isQuiet) return beginnings(store, limit, maxBytes);
    if (textBytes > 0)
      warn('no-match', 'the text contains no word of a question; the beginnings of the documents were read');
    else warn('no-match', 'the search for a question found no passage');
    return beginnings(store, limit, maxBytes);
  }

  return {
    /**
     * Returns the whole text if it fits, else the passages that match the query best.
     * @throws RlmError `prompt-too-long` without room for a passage, `limit-fetches`, the retriever's errors, and the
     *   signal's reason.
     */
    async find(search: Search, signal: AbortSignal): Promise<readonly Passage[]> {
      signal.throwIfAborted();
      const { passageBytes, fits, lookBytes } = windowAt(search.path);
      const room = passageBytes - (search.takenBytes ?? 0);
      if (fits && textBytes <= room) return given.remember(whole());
      if (lookBytes === null) return given.remember(surrounded(await lookUp(search, room, signal)));
      const look = Math.min(Math.max(lookBytes, leastLook), room);
      const passages = Math.max(limit, Math.floor(look / leastPassageBytes));
      return given.remember(wholePassages(await lookUp(search, look, signal, passages), look, store));
    },
    /** Returns passages that match the query, without those that the search excludes. */
    async findMore(search: Search, signal: AbortSignal): Promise<readonly Passage[]> {
      signal.throwIfAborted();
      budget.takeFetch();
      const room = windowAt(search.path).passageBytes - (search.takenBytes ?? 0);
      return given.remember(surrounded(lightEnough(await best(search, room, signal), room)));
    },
    /** Returns as many of the passages as fit a prompt at `path`. Throws `prompt-too-long`. */
    fit(groups: readonly (readonly Passage[])[], takenBytes: number, path = '0'): readonly Passage[] {
      const window = windowAt(path);
      const fitting = fitInTurns(groups, window.passageBytes - takenBytes);
      if (fitting.length === 0 && groups.some(({ length }) => length > 0)) throw noRoom(window.tokens);
      return fitting;
    },
  };
}
