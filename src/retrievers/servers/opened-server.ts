import type { Retriever } from '../retriever.ts';
import type { Meaning } from '../vector/meaning.ts';
import type { SearchAddress } from './search-address.ts';
import type { SearchClient } from './search-client.ts';
import type { SearchTarget } from './search-errors.ts';

/** What a server is opened with. */
export interface ServerParts {
  readonly address: SearchAddress;
  readonly target: SearchTarget;
  readonly client: SearchClient;
}

/** A server that answered. */
export interface OpenedServer {
  /** Number of passages that it has. */
  readonly passages: number;
  /** Whether it can be searched by vectors, according to its address. */
  readonly takesVectors: boolean;
  /** @param meaning vectors of queries; null: the server is searched by words alone. */
  createRetriever(meaning: Meaning | null): Retriever;
}
