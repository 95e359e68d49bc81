import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { FurtherSearch } from '../../state.ts';
import type { Budget } from '../door/budget.ts';
import type { Window } from '../door/window.ts';
import type { Run } from '../run.ts';
import { describeText } from './describe-text.ts';
import type { Rerank } from './find-passages.ts';
import { createPassageFinder } from './find-passages.ts';
import type { GivenPassages } from './given-passages.ts';
import { createWholeText } from './whole-text.ts';

/** What of a run is about its text. */
export type RunText = Pick<
  Run,
  'documents' | 'store' | 'description' | 'fits' | 'retrieve' | 'retrieveMore' | 'fit' | 'text'
>;

interface TextParts {
  readonly store: ContextStore;
  /** Searches all there is, and the store alone. */
  readonly all: Retriever;
  readonly local: Retriever;
  /** The search server that is searched, as messages name it; null: none. */
  readonly server: string | null;
  readonly rerank: Rerank | null;
  readonly settings: Settings;
  /** What the models that read the passages of a place have room for. */
  readonly windowAt: (path: string) => Window;
  /** What decides whether the text fits, where no place is known yet. */
  readonly window: Window;
  readonly budget: Budget;
  readonly given: GivenPassages;
  onSearch(path: string, search: FurtherSearch): void;
  warn(message: string): void;
}

/**
 * What a run does with one text: all of its own, or a part.
 * @param watch notes what goes wrong, so that a run that is to stop does.
 */
export function createRunText(
  parts: TextParts,
  signal: AbortSignal,
  watch: <T>(work: Promise<T>) => Promise<T>,
): RunText {
  const { store, all, local, server, window, given } = parts;
  const finder = createPassageFinder({ ...parts, retriever: all, local });
  const text = createWholeText({ ...parts, retriever: local }, signal);
  given.lookIn(text.given);
  return {
    documents: store.documents,
    store,
    description: describeText(store, window, server),
    fits: window.fits,
    retrieve: (search) => watch(finder.find(search, signal)),
    retrieveMore: (search) => watch(finder.findMore(search, signal)),
    fit: finder.fit,
    text,
  };
}
