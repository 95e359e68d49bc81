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

/** Most bytes of the description: about 400 tokens. */
const mostBytes = 1_200;
const fewestBytes = 600;

/** Most documents for which first lines are shown. A few beginnings do not represent many documents. */
const mostWithFirstLines = 10;

/** Describes the text, in at most about 400 tokens, and a search `server` to a model that does not see the text. */
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
  /** The name of the search server in messages; null: no server is searched. */
  readonly server: string | null;
  /** The window that decides whether the text fits, if no path is known. */
  readonly window: Window;
  readonly budget: RunBudget;
  readonly searches: SearchLog;
  files(): Promise<FileAccess | null>;
  /** Runs work, and records its failure if that ends the run. */
  watch<T>(work: Promise<T>): Promise<T>;
}

/** Creates the parts of a run that concern one text: the run's whole text, or a part of it. */
export function createRunText(parts: TextParts) {
  const { store, all, local, server, window, given, searches, files, watch } = parts;
  const { signal } = parts.budget;
  const finder = createPassageFinder({ ...parts, retriever: all, onSearch: searches.add });
  return {
    /** The text of the run, and whether it fits a prompt. */
    text: {
      ...createWholeText({ ...parts, retriever: local }, signal),
      /** The text itself, for tools that read it. */
      store,
      /** The description of the text that prompts contain instead of the text. */
      description: describeText(store, window, server),
      /** Whether the whole text fits the prompt that answers the root. */
      fits: window.fits,
      /** Returns the files that tools may read; null without files. */
      files,
    },
    /** Gives passages of a run's text, and remembers them: a citation may name only a passage that was given. */
    passages: {
      /** Finds passages for a question: the whole text if it fits, else the best. Rejects as the finder does. */
      find: (search: Search) => watch(finder.find(search, signal)),
      /** Finds passages that the search does not exclude; empty if nothing matches. */
      findMore: (search: Search) => watch(finder.findMore(search, signal)),
      /** Returns as many of the passages as fit a prompt, from each group in turn. Throws `prompt-too-long`. */
      fit: finder.fit,
      /** Returns the passages of the chunks with these indexes, without overlap. */
      at: (indexes: readonly number[]) => given.read(store, indexes),
      /** Returns passages by id, in the order of the ids; ids that were never given are left out. */
      byId: (ids: readonly string[]): readonly Passage[] =>
        ids.flatMap((id) => given.find(id) ?? []).map((passage) => withUnder(store, passage)),
      /** Remembers passages that a tool read elsewhere. */
      give: (passages: readonly Passage[]) => void given.remember(passages),
      /** Returns the searches for a path after the first. */
      searchedAt: searches.at,
    },
  };
}

export type RunText = Readonly<ReturnType<typeof createRunText>['text']>;
export type RunPassages = Readonly<ReturnType<typeof createRunText>['passages']>;
