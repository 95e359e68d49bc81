import { describe, renderDescription } from '../../context/description.ts';
import type { ContextStore } from '../../context/document.ts';
import { withUnder } from '../../context/under/passage-under.ts';
import type { Retriever } from '../../retrievers/retriever.ts';
import type { Passage } from '../../state.ts';
import type { FileAccess } from '../../tools/files/walls/file-access.ts';
import type { RunBudget } from '../door/budget.ts';
import type { Window } from '../door/window.ts';
import { createPassageFinder, type FinderParts, type Search } from './find-passages.ts';
import type { SearchLog } from './given-passages.ts';
import { createWholeText } from './whole-text.ts';

/** Maximum size of the description, in bytes: about 400 tokens. */
const mostBytes = 1_200;
const fewestBytes = 600;

/** Maximum number of documents whose first lines are shown. A few of many documents are not representative. */
const mostWithFirstLines = 10;

/** Describes the text and the search `server` to a model. */
export function describeText(
  store: ContextStore,
  { fits, passageBytes }: Pick<Window, 'fits' | 'passageBytes'>,
  server: string | null = null,
): string {
  const bytes = Math.max(fewestBytes, Math.min(mostBytes, passageBytes));
  const firstLines = fits || store.documents.length > mostWithFirstLines ? 0 : 3;
  const here = renderDescription(describe(store, { firstLines }), bytes);
  if (server === null) return here;
  const there = `- ${server}: it can be searched for passages, and cannot be read as a whole`;
  return store.documents.length === 0 ? there : `${there}\n${here}`;
}

interface TextParts extends Omit<FinderParts, 'retriever' | 'onSearch'> {
  /** Searches the store and the search server. */
  readonly all: Retriever;
  /** The name of the search server in messages; null if no server is searched. */
  readonly server: string | null;
  readonly window: Window;
  readonly budget: RunBudget;
  readonly searches: SearchLog;
  files(): Promise<FileAccess | null>;
  watch<T>(work: Promise<T>): Promise<T>;
}

/** Creates the parts of a run that concern one text: the run's whole text, or a part of it. */
export function createRunText(parts: TextParts) {
  const { store, all, local, server, window, given, searches, files, watch } = parts;
  const { signal } = parts.budget;
  const finder = createPassageFinder({ ...parts, retriever: all, onSearch: searches.add });
  return {
    text: {
      ...createWholeText({ ...parts, retriever: local }, signal),
      store,
      description: describeText(store, window, server),
      /** Whether the whole text fits the prompt that answers the root. */
      fits: window.fits,
      /** Opens the access to the run's files; null without files. */
      files,
    },
    /** A citation may name only passages that `find`, `findMore` or `at` returned, or that `give` remembered. */
    passages: {
      /** Finds the whole text if it fits, else the best passages. */
      find: (search: Search) => watch(finder.find(search, signal)),
      findMore: (search: Search) => watch(finder.findMore(search, signal)),
      fit: finder.fit,
      /** Returns the passages of chunks, without overlap. */
      at: (indexes: readonly number[]) => given.read(store, indexes),
      /** Returns the passages with these ids; leaves out ids that were never given. */
      byId: (ids: readonly string[]): readonly Passage[] =>
        ids.flatMap((id) => given.find(id) ?? []).map((passage) => withUnder(store, passage)),
      /** Remembers passages that a tool read elsewhere. */
      give: (passages: readonly Passage[]) => void given.remember(passages),
      /** Returns the searches of a question after its first one. `path`: the path of the question. */
      searchedAt: searches.at,
    },
  };
}

export type RunText = Readonly<ReturnType<typeof createRunText>['text']>;
export type RunPassages = Readonly<ReturnType<typeof createRunText>['passages']>;
