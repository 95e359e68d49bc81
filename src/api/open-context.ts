import { type AskOptions, configure } from '../assemble/ask-options.ts';
import { checkOptions } from '../assemble/check-options.ts';
import { closeRead, readText } from '../assemble/read-text.ts';
import type { DescribeOptions, Description } from '../context/description.ts';
import type { Peek, PeekBounds, PeekRange } from '../context/peek.ts';
import type { SearchOptions, SearchResult } from '../context/search/search.ts';

/** What to open; see `AskOptions`. */
export type ContextOptions = Pick<
  AskOptions,
  'paths' | 'documents' | 'index' | 'settings' | 'configuration' | 'written' | 'cwd' | 'env' | 'signal' | 'onReading'
>;

/** Text that can be looked at without a model. */
export interface Context {
  /** Names, sizes, kinds and first lines. */
  describe(options?: DescribeOptions): Description;
  /** Lines or bytes of a document. Throws RlmError `input-missing`, `usage`. */
  peek(range: PeekRange, bounds?: PeekBounds): Peek;
  /**
   * Lines that match a regular expression without lookaround and backreferences, in time linear in the text.
   * @throws RlmError `pattern-invalid`, `input-missing`, `usage`; the signal's reason.
   */
  search(pattern: string, options?: SearchOptions & { readonly signal?: AbortSignal }): Promise<SearchResult>;
  /** What was noticed while the text was read, such as files that were skipped. */
  readonly warnings: readonly string[];
  /** Lets go of the text; the context cannot be used any more. */
  close(): Promise<void>;
}

/** Loaded when text is looked at: a question needs none of it before its first request. */
async function loadParts() {
  const [{ describe }, { peek }, { search }] = await Promise.all([
    import('../context/description.ts'),
    import('../context/peek.ts'),
    import('../context/search/search.ts'),
  ]);
  return { describe, peek, search };
}

/**
 * Reads files, folders, globs and given text as `ask` does, to be looked at without a model. Names and text are as they
 * stand: secrets are not taken out.
 * @throws RlmError as `ask` does for unusable input or settings; the signal's reason.
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  checkOptions('openContext', options);
  const { cwd = process.cwd(), signal = new AbortController().signal } = options;
  const { settings } = configure(options);
  const { describe, peek, search } = await loadParts();
  const read = await readText({ ...options, cwd }, settings, false, signal);
  const { store, warnings } = read.inputs;
  return {
    describe: (wanted) => describe(store, wanted),
    peek: (range, bounds) => peek(store, range, bounds),
    search: (pattern, { signal: ended = new AbortController().signal, ...wanted } = {}) =>
      search(store, pattern, wanted, ended),
    warnings,
    close: async () => closeRead(read),
  };
}
