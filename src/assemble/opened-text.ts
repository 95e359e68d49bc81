/** Text that a program has opened, and that several runs ask about without reading it again. */
import { RlmError } from '../errors.ts';
import type { DocumentInfo } from '../state.ts';
import type { ReadText } from './read-text.ts';

/** Opened text, as `openContext` makes it and `ask` takes it. */
export interface OpenedText {
  /** All documents, in the order in which they were read. */
  readonly documents: readonly DocumentInfo[];
}

interface Holding {
  readonly read: ReadText;
  readonly cwd: string;
  /** Runs that work with it now. */
  users: number;
  isClosed: boolean;
}

const holdings = new WeakMap<OpenedText, Holding>();

/**
 * Makes text known to `sharedText`; `closeOpened` lets go of it.
 * @param cwd the folder that its paths start from.
 */
export function shareText(text: OpenedText, read: ReadText, cwd: string): void {
  holdings.set(text, { read, cwd, users: 0, isClosed: false });
}

/** The folder that the paths of opened text start from; null for what `openContext` has not made. */
export const folderOf = (text: OpenedText): string | null => holdings.get(text)?.cwd ?? null;

function freeUnused({ read, users, isClosed }: Holding): void {
  if (isClosed && users === 0) read.close();
}

/**
 * The text of an opened context, for one run; closing it leaves the text to the others.
 * @throws RlmError `usage` for what `openContext` has not made, or what is closed.
 */
export function sharedText(text: OpenedText): ReadText {
  const holding = holdings.get(text);
  if (holding === undefined || holding.isClosed) {
    throw new RlmError('usage', 'the option "context" must be what openContext resolved to, before it is closed');
  }
  holding.users += 1;
  let isUsed = true;
  return {
    ...holding.read,
    close() {
      if (!isUsed) return;
      isUsed = false;
      holding.users -= 1;
      freeUnused(holding);
    },
  };
}

/** Lets go of the text when the last run that works with it has ended. */
export function closeOpened(text: OpenedText): void {
  const holding = holdings.get(text);
  if (holding === undefined || holding.isClosed) return;
  holding.isClosed = true;
  freeUnused(holding);
}
