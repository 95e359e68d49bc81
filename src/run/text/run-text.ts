import type { Settings } from '../../config/settings.ts';
import type { ContextStore } from '../../context/document.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import type { Window } from '../door/window.ts';
import type { RunBudget } from '../run-budget.ts';
import { describeText } from './describe-text.ts';
import { createPassageFinder, type FindFirst } from './find-passages.ts';
import type { GivenPassages } from './given-passages.ts';
import { createRunPassages, type RunPassages } from './run-passages.ts';
import type { SearchLog } from './search-log.ts';
import { createWholeText, type WholeText } from './whole-text.ts';

/** The text that a run is about, and how much of it fits a prompt. */
export interface RunText extends WholeText {
  /** The text itself, for tools that read it. */
  readonly store: ContextStore;
  /** The description of the text that a prompt holds instead of the text. */
  readonly description: string;
  /** Whether the whole text fits the prompt that answers the root. */
  readonly fits: boolean;
  /** The files that tools may read; null where there are none. */
  files(): Promise<FileAccess | null>;
}

interface TextParts {
  readonly store: ContextStore;
  /** `all` searches the store and the search server, `local` the store alone. */
  readonly all: Retriever;
  readonly local: Retriever;
  /** The name of the search server in messages; null: no server is searched. */
  readonly server: string | null;
  readonly findFirst: FindFirst | null;
  readonly settings: Settings;
  /** Returns the window of the models that read the passages at a path. */
  readonly windowAt: (path: string) => Window;
  /** Decides whether the text fits, where no path is known yet. */
  readonly window: Window;
  readonly budget: RunBudget;
  readonly given: GivenPassages;
  readonly searches: SearchLog;
  files(): Promise<FileAccess | null>;
  warn(message: string): void;
  /** Records a failure of the work that ends the run. */
  watch<T>(work: Promise<T>): Promise<T>;
}

/** Creates the parts of a run that concern one text: the run's whole text, or a part of it. */
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
