import type { Settings } from '../config/settings.ts';
import type { ContextStore } from '../context/document.ts';
import { RlmError } from '../errors.ts';
import type { Retriever, ServerAccess } from '../retrievers/retriever.ts';
import type { Passage } from '../state.ts';
import type { Budget } from './budget.ts';
import type { Rerank } from './rerank.ts';
import { withRetries } from './retry.ts';
import { passageSizeOf, rerankedPerPassage, textBytesOf, type Window } from './window.ts';

/** What finding passages needs. */
interface FinderParts {
  readonly store: ContextStore;
  readonly retriever: Retriever;
  /** Null: passages stay in the retriever's order. */
  readonly rerank: Rerank | null;
  readonly settings: Settings;
  readonly window: Window;
  readonly budget: Budget;
  warn(message: string): void;
}

/** Finds passages for questions, and keeps those that it has given. */
export interface PassageFinder {
  /**
   * All of the text where it fits, else the passages that suit the query best.
   * @param takenBytes what else the prompt will hold that a window is not chosen for, such as known answers.
   * @param path the place in the tree that they are for, or a stage's name.
   * @throws RlmError `prompt-too-long` when there is no room for a passage, `limit-fetches`, what the retriever throws;
   *   the signal's reason.
   */
  find(query: string, takenBytes: number, path: string, signal: AbortSignal): Promise<readonly Passage[]>;
  /** Passages by id, in that order; ids that were never given are left out. */
  given(ids: readonly string[]): readonly Passage[];
}

/** The error for text of which no passage can be shown: an answer without any would look like one from the text. */
const noRoom = (tokens: number) =>
  new RlmError('prompt-too-long', `the window of ${tokens} tokens has no room for a passage of the text`, {
    hint: 'Lower context.chunkTokens (--chunk-tokens) or reply.maxTokens, or use a model with a larger window.',
  });

const chunksOf = (store: ContextStore) => Array.from({ length: store.chunkCount }, (_, index) => store.chunk(index));

export function createPassageFinder(parts: FinderParts): PassageFinder {
  const { store, retriever, rerank, settings, window, budget, warn } = parts;
  const { passages: limit } = settings.context;
  const given = new Map<string, Passage>();
  const textBytes = textBytesOf(store);

  const whole = () => chunksOf(store).map(store.plainPassage);

  /** What was shown of a chunk once with text before it may be cited with that. */
  function keep(passage: Passage): void {
    const known = given.get(passage.id);
    if (known === undefined || passage.startByte <= known.startByte) given.set(passage.id, passage);
  }

  /** Where no word of the query stands in the text: the question may be what the text is about. */
  function beginnings(maxBytes: number): Passage[] {
    let room = maxBytes;
    return chunksOf(store)
      .filter(({ startByte }) => startByte === 0)
      .slice(0, limit)
      .filter(({ startByte, endByte }) => {
        room -= endByte - startByte;
        return room >= 0;
      })
      .map((chunk) => store.passage(chunk, 0));
  }

  /** For one search, which is paid for: its first request is it, and others are one more each. */
  function serverAccess(signal: AbortSignal): ServerAccess {
    let isPaid = true;
    const pay = () => {
      if (!isPaid) budget.takeFetch();
      isPaid = false;
    };
    const request: ServerAccess['request'] = (send) =>
      withRetries(
        async () => {
          pay();
          return send();
        },
        {
          signal,
          timeLeftMs: () => budget.timeLeftMs('ordinary'),
          mayRetry: () => true,
          onRetry: (_attempt, _waitMs, { message }) => warn(`${message}; it was asked again`),
        },
      );
    return { request, warn };
  }

  async function best(query: string, maxBytes: number, path: string, signal: AbortSignal) {
    const wanted = rerank === null ? limit : limit * rerankedPerPassage;
    const found = await retriever.retrieve({ text: query, limit: wanted, maxBytes }, signal, serverAccess(signal));
    return rerank === null || found.length < 2 ? found : (await rerank(query, found, path)).slice(0, limit);
  }

  async function search(
    query: string,
    maxBytes: number,
    path: string,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    if (maxBytes < passageSizeOf(settings.context)) throw noRoom(window.tokens);
    budget.takeFetch();
    const found = await best(query, maxBytes, path, signal);
    if (found.length > 0) return found;
    if (textBytes > 0) warn('no word of a question stands in the text; the beginnings of the documents were read');
    else warn('the search for a question has found no passage');
    return beginnings(maxBytes);
  }

  return {
    async find(query, takenBytes, path, signal) {
      signal.throwIfAborted();
      const room = window.passageBytes - takenBytes;
      const found = window.fits && textBytes <= room ? whole() : await search(query, room, path, signal);
      for (const passage of found) keep(passage);
      return found;
    },
    given: (ids) => ids.map((id) => given.get(id)).filter((passage) => passage !== undefined),
  };
}
