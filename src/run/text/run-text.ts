import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import type { Window } from '../door/window.ts';
import type { RunBudget } from '../run-budget.ts';
import { describeText } from './describe-text.ts';
import { createPassageFinder, type Rerank } from './find-passages.ts';
import type { GivenPassages } from './given-passages.ts';
import { createRunPassages, type RunPassages } from './run-passages.ts';
import type { SearchLog } from './search-log.ts';
import { createWholeText, type WholeText } from './whole-text.ts';

/** What a question is about: the text, and how much of it a prompt holds. */
export interface RunText extends WholeText {
  /** The text itself, for tools that look into it. */
  readonly store: ContextStore;
  /** What a model is told of the text in its place. */
  readonly description: string;
  /** Whether the whole text fits the prompt that answers the root. */
  readonly fits: boolean;
  /** The files that tools may read; null where there are none. */
  files(): Promise<FileAccess | null>;
}

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
  readonly budget: RunBudget;
  readonly given: GivenPassages;
  readonly searches: SearchLog;
  files(): Promise<FileAccess | null>;
  warn(message: string): void;
  /** Notes what goes wrong, so that a run that is to stop does. */
  watch<T>(work: Promise<T>): Promise<T>;
}

/** What of a run is about one text: all of its own, or a part. */
export function createRunText(parts: TextParts): { readonly text: RunText; readonly passages: RunPassages } {
  const { store, all, local, server, window, searches, files } = parts;
  const { signal } = parts.budget;
  const finder = createPassageFinder({ ...parts, retriever: all, onSearch: searches.add });
  const whole = createWholeText({ ...parts, retriever: local }, signal);
  const description = describeText(store, window, server);
  return {
    text: { ...whole, store, description, fits: window.fits, files },
    passages: createRunPassages({ ...parts, finder, signal }),
  };
}
