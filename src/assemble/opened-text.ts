/** Text that is opened once and shared by several runs. */
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
 * Registers text for `sharedText`, until `closeOpened`.
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
 * Returns the text of an opened context for one run. Closing it does not affect other runs.
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

/** Frees the text once no run uses it. */
export function closeOpened(text: OpenedText): void {
  const holding = holdings.get(text);
  if (holding === undefined || holding.isClosed) return;
  holding.isClosed = true;
  freeUnused(holding);
}
