import { onTestFinished } from 'vitest';
import { findServer } from '../../src/assemble/choose-retriever.ts';
import { loadConfiguration } from '../../src/config/layers.ts';
import type { ContextStore } from '../../src/context/document.ts';
import type { Embed, ServerAccess } from '../../src/retrievers/retriever.ts';
import { createMeaning } from '../../src/retrievers/vector/retriever.ts';
import type { ChromaRecord } from '../servers/chroma-server.ts';
import type { IndexedDocument } from '../servers/elasticsearch-server.ts';
import type { SearchHttp } from '../servers/search-http.ts';

export const signal = new AbortController().signal;

const chunksOf = (store: ContextStore) => Array.from({ length: store.chunkCount }, (_, index) => store.chunk(index));

const fieldsOf = (store: ContextStore) =>
  chunksOf(store).map((chunk) => {
    const { source, startLine, endLine, text } = store.passage(chunk, 0);
    return { source, startLine, endLine, text };
  });

/** Returns the chunks of a store in the form of Chroma. */
export const toRecords = (store: ContextStore): ChromaRecord[] =>
  fieldsOf(store).map(({ text, ...metadata }, index) => ({ id: `c${index}`, document: text, metadata }));

/** Returns the chunks of a store in the form of Elasticsearch. */
export const toIndexed = (store: ContextStore): IndexedDocument[] =>
  fieldsOf(store).map((_source, index) => ({ _id: `c${index}`, _source }));

/** Closes the server when the test ends. */
export async function during(server: Promise<SearchHttp>): Promise<SearchHttp> {
  const started = await server;
  onTestFinished(() => started.close());
  return started;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Null: the search is by words. */
  readonly embed?: Embed | null;
  /** Whether the search is by vectors alone. */
  readonly isAlone?: boolean;
  /** In seconds. */
  readonly callTimeout?: number;
}

/** Opens the server at an address, independently of the machine's configuration. */
export async function open(address: string, options: Options = {}) {
  const { callTimeout = 30, env = {}, embed = null, isAlone = false } = options;
  const settings = new Map([['budget.callTimeout', callTimeout]]);
  const configuration = loadConfiguration({
    settings,
    env: { HOME: '/dev/null/nowhere', ...env },
    cwd: import.meta.dirname,
  });
  const server = await findServer(address, { configuration, signal });
  const warnings: string[] = [];
  const meaning = embed && createMeaning(embed, isAlone, (message) => warnings.push(message));
  return { ...server, retriever: server.createRetriever(meaning), warnings };
}

/** Creates an access that counts requests and stores warnings. */
export function countingAccess(): ServerAccess & { requests: number; readonly warnings: string[] } {
  const access = {
    requests: 0,
    warnings: [] as string[],
    warn: (message: string) => void access.warnings.push(message),
    request: <T>(send: () => Promise<T>) => {
      access.requests += 1;
      return send();
    },
  };
  return access;
}
