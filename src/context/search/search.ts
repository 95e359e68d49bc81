import { createPacer } from '../../base/time.ts';
import { RlmError } from '../../errors.ts';
import { type ContextStore, findDocument } from '../document.ts';
import { createLineFinder, type LineBytes } from '../lines.ts';
import { type ByteRange, type ShownText, showAround, showLine } from '../shown-text.ts';
import { createLineMatcher } from './line-matcher.ts';
import { createLineSearch } from './line-search.ts';

export interface SearchOptions {
  readonly ignoreCase?: boolean | undefined;
  /** Lines before and after each match, at most 20; default: none. */
  readonly contextLines?: number | undefined;
  /** Maximum number of matches; default: 100. */
  readonly limit?: number | undefined;
  /** Names of the documents to search; default: all. */
  readonly documents?: readonly string[] | undefined;
}

interface ContextLine extends ShownText {
  readonly line: number;
}

export interface SearchMatch extends ShownText, ByteRange {
  /** The document's name. */
  readonly source: string;
  readonly line: number;
  /** Range of the line's first match in `text`, in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly before: readonly ContextLine[];
  readonly after: readonly ContextLine[];
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[];
  /** Number of matching lines beyond the limit. */
  readonly more: number;
  /** Whether the whole text was searched. */
  readonly isComplete: boolean;
}

const defaultLimit = 100;
const mostContextLines = 20;
const shownCharacters = 500;
/** Approximate number of bytes that are searched after the limit is reached. Matches in them are only counted. */
const countedBytes = 256 * 1024 * 1024;
const sliceMs = 20;

/**
 * Searches documents line by line, like grep. In a line that is longer than a block (8 to 64 KB), the search can miss a
 * match that is longer than an eighth of a block.
 * @throws RlmError `pattern-invalid`, `usage`, or `input-missing` for an unknown document; the signal's reason.
 */
export async function searchDocuments(
  store: ContextStore,
  pattern: string,
  options: SearchOptions,
  signal: AbortSignal,
): Promise<SearchResult> {
  const contextLines = Math.min(mostContextLines, checkedCount('contextLines', options.contextLines ?? 0));
  return searchFor(store, pattern, options, createMatchView(store, contextLines), signal);
}

/** Returns the places of all matching lines. Omits their text, because rendering it takes longer than the search. */
export async function searchPlaces(store: ContextStore, pattern: string, signal: AbortSignal) {
  const place = (document: number, _: number, { startByte }: ByteRange) => ({ document, startByte });
  const { matches } = await searchFor(store, pattern, { limit: Number.MAX_SAFE_INTEGER }, place, signal);
  return matches;
}

type TakeMatch<Match> = (document: number, lineStart: number, range: ByteRange) => Match;

async function searchFor<Match>(
  store: ContextStore,
  pattern: string,
  options: SearchOptions,
  take: TakeMatch<Match>,
  signal: AbortSignal,
) {
  signal.throwIfAborted();
  const chosen = chooseDocuments(store, options.documents);
  const limit = checkedCount('limit', options.limit ?? defaultLimit);
  const matcher = await createLineMatcher(pattern, options.ignoreCase ?? false);
  const pace = createPacer(sliceMs);
  const lines = createLineFinder(store);
  const matches: Match[] = [];
  let more = 0;
  let bytesLeft = countedBytes;

  async function rest(): Promise<void> {
    await pace();
    signal.throwIfAborted();
  }
  const searchLines = createLineSearch({
    source: store,
    matcher,
    room: Buffer.allocUnsafeSlow(matcher.blockBytes),
    lineEnd: (document, startByte) => lines.around(document, startByte)!.endByte,
    rest,
  });
  for (const document of chosen) {
    if (bytesLeft <= 0) break;
    await searchLines(document, {
      isCounted() {
        if (matches.length < limit) return false;
        more++;
        return true;
      },
      async add({ startByte }, match) {
        matches.push(take(document, startByte, match));
        await rest();
      },
      searched({ startByte, endByte }) {
        if (matches.length >= limit) bytesLeft -= endByte - startByte;
        return bytesLeft > 0;
      },
    });
  }
  return { matches, more, isComplete: bytesLeft > 0 };
}

function checkedCount(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw new RlmError('usage', `${name} cannot be ${value}`, { hint: 'Give a whole number, 0 or more.' });
}

function chooseDocuments(store: ContextStore, names: readonly string[] | undefined): readonly number[] {
  if (names === undefined) return [...store.documents.keys()];
  return [...new Set(names.map((name) => findDocument(store, name)))].sort((a, b) => a - b);
}

function createMatchView(store: ContextStore, contextLines: number): TakeMatch<SearchMatch> {
  const lines = createLineFinder(store);

  function neighbours(document: number, line: number, step: 1 | -1): ContextLine[] {
    const found: ContextLine[] = [];
    for (let distance = 1; distance <= contextLines; distance++) {
      const place = lines.at(document, line + step * distance);
      if (place === null) break;
      found.push({ line: place.line, ...showLine(store, document, place, shownCharacters) });
    }
    return step === 1 ? found : found.reverse();
  }

  return (document, lineStart, range) => {
    const place: LineBytes = lines.around(document, lineStart)!;
    return {
      source: store.documents[document]!.name,
      line: place.line,
      startByte: range.startByte,
      endByte: range.endByte,
      ...showAround(store, document, place, range, shownCharacters),
      before: neighbours(document, place.line, -1),
      after: neighbours(document, place.line, 1),
    };
  };
}
