import { type AskOptions, checkOptions, configure } from '../assemble/ask-options.ts';
import { closeOpened, folderOf, type OpenedText, readText, shareText } from '../assemble/read-text.ts';
import type { DescribeOptions, Description } from '../context/description.ts';
import type { Chunk, ContextStore } from '../context/document.ts';
import type { Peek, PeekBounds, PeekRange } from '../context/peek.ts';
import type { SearchOptions, SearchResult, searchPlaces } from '../context/search/search.ts';
import { RlmError } from '../errors.ts';
import { limitsOf, type QueryResult, type QueryWishes, type TablesDescription } from '../query/query-result.ts';
import type { Passage } from '../state.ts';

/** What to open; see `AskOptions`. */
export type ContextOptions = Pick<
  AskOptions,
  'paths' | 'documents' | 'index' | 'settings' | 'configuration' | 'written' | 'cwd' | 'env' | 'signal' | 'onReading'
>;

/** Text that can be searched and read without a model, and passed to `ask`. */
export interface Context extends OpenedText {
  /** Describes the documents: names, sizes, kinds and first lines. */
  describe(options?: DescribeOptions): Description;
  /** Returns lines or bytes of a document. Throws RlmError `input-missing`, `usage`. */
  peek(range: PeekRange, bounds?: PeekBounds): Peek;
  /**
   * Finds lines that match `pattern`, in time proportional to the size of the text. Patterns have no lookaround or
   * backreferences.
   * @throws RlmError `pattern-invalid`, `input-missing`, `usage`; the signal's reason.
   */
  search(pattern: string, options?: SearchOptions & { readonly signal?: AbortSignal }): Promise<SearchResult>;
  /**
   * Finds all matching lines, without their text. Returns for each line the index of its document and the byte where
   * its match begins.
   */
  places(pattern: string, options?: { readonly signal?: AbortSignal }): ReturnType<typeof searchPlaces>;
  /**
   * Finds passages by the words of a query, best first.
   * @param limit the maximum number of passages; default: 8.
   */
  passages(
    query: string,
    options?: { readonly limit?: number; readonly signal?: AbortSignal },
  ): Promise<readonly Passage[]>;
  /**
   * Runs one statement of SQL over the records and lines.
   * @throws RlmError `query-invalid`, `query-limit`; the signal's reason.
   */
  query(sql: string, options?: QueryWishes & { readonly signal?: AbortSignal }): Promise<QueryResult>;
  /** Describes the tables that `query` can use. Throws RlmError `query-limit`; the signal's reason. */
  tables(options?: { readonly signal?: AbortSignal }): Promise<TablesDescription>;
  /** The chunks of all documents, in order. Passages consist of chunks. */
  readonly chunks: readonly Chunk[];
  /**
   * Returns a copy of a document's bytes (UTF-8). The copy ends at `endByte` or at the end of the document, whichever
   * comes first. `document` is the index of the document. Throws RlmError `input-missing`; the system's error.
   */
  read(document: number, startByte: number, endByte: number): Uint8Array;
  /** Warnings from reading the text, such as skipped files. */
  readonly warnings: readonly string[];
  /** The number of pages without text, which this context omits. A model can read them if `ask` gets the files. */
  readonly unreadPages: number;
  /** Makes every other method throw RlmError `usage`. Frees the text as soon as no run uses it. */
  close(): Promise<void>;
}

const neverAborted = () => new AbortController().signal;

/**
 * Reads files, folders, globs and given text as `ask` does, for use without a model. Names and text are
 * unchanged: secrets are not redacted.
 * @throws RlmError as `ask` does for unusable input or settings; the signal's reason.
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  checkOptions('openContext', options);
  const configuration = configure(options);
  const { cwd = configuration.cwd, env = configuration.env, signal = neverAborted() } = options;
  // These modules are loaded on demand: `ask` needs none of them before its first request.
  const [{ describe }, { peek }, search, { createTextRetriever }] = await Promise.all([
    import('../context/description.ts'),
    import('../context/peek.ts'),
    import('../context/search/search.ts'),
    import('../assemble/choose-retriever.ts'),
  ]);
  const read = await readText({ ...options, cwd, env }, configuration.settings, false, signal);
  const { store, warnings, unreadPages } = read.inputs;
  const byWords = createTextRetriever(store, read.index ?? undefined);
  const opened = (): ContextStore => {
    if (folderOf(context) !== null) return store;
    throw new RlmError('usage', 'the context is closed', { hint: 'Open it again with openContext.' });
  };
  const context: Context = {
    describe: (wanted) => describe(opened(), wanted),
    peek: (range, bounds) => peek(opened(), range, bounds),
    search: async (pattern, { signal: callSignal = neverAborted(), ...wanted } = {}) =>
      search.searchDocuments(opened(), pattern, wanted, callSignal),
    places: async (pattern, { signal: callSignal = neverAborted() } = {}) =>
      search.searchPlaces(opened(), pattern, callSignal),
    async passages(text, { limit = 8, signal: callSignal = neverAborted() } = {}) {
      opened();
      return byWords.retrieve({ text, limit, maxBytes: Number.MAX_SAFE_INTEGER }, callSignal);
    },
    query: async (sql, { signal: callSignal = neverAborted(), ...wishes } = {}) => {
      const { query } = await import('../query/query.ts');
      return query(opened(), sql, limitsOf(configuration.settings, wishes), callSignal);
    },
    tables: async ({ signal: callSignal = neverAborted() } = {}) => {
      const { describeTables } = await import('../query/query.ts');
      return describeTables(opened(), limitsOf(configuration.settings), callSignal);
    },
    documents: store.documents,
    get chunks() {
      return Array.from({ length: opened().chunkCount }, (_, at) => store.chunk(at));
    },
    read(document, startByte, endByte) {
      const info = opened().documents[document];
      if (info === undefined) throw new RlmError('input-missing', `there is no document ${document}`);
      return Uint8Array.from(store.read(document, startByte, Math.min(endByte, info.bytes)));
    },
    warnings,
    unreadPages,
    close: async () => closeOpened(context),
  };
  const close = () => {
    read.close();
    byWords.close();
  };
  shareText(context, { ...read, index: byWords.index, close }, cwd);
  return context;
}

/** What to query; see `ContextOptions`. */
interface QueryOptions extends ContextOptions, QueryWishes {
  /** An opened text, instead of paths and documents. */
  readonly context?: Context;
}

async function withOpened<T>(
  { context, maxRows: _, maxCharacters: __, ...options }: QueryOptions,
  use: (context: Context) => Promise<T>,
): Promise<T> {
  if (context !== undefined) return use(context);
  const opened = await openContext(options);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

/**
 * Runs one statement of SQL over the records and lines of a text: `select level, count(*) from log group by 1`. See
 * `queryTables` for the tables.
 * @throws RlmError `query-invalid`, `query-limit`, and as `openContext` does; the signal's reason.
 */
export const query = (sql: string, options: QueryOptions): Promise<QueryResult> =>
  withOpened(options, (context) => context.query(sql, options));

/**
 * Describes the tables that `query` can name, with their columns, types and first rows.
 * @throws RlmError `query-limit`, and as `openContext` does; the signal's reason.
 */
export const queryTables = (options: QueryOptions): Promise<TablesDescription> =>
  withOpened(options, (context) => context.tables(options));
