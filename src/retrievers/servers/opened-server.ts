import type { Retriever } from '../retriever.ts';
import type { Meaning } from '../vector/meaning.ts';
import type { SearchAddress } from './search-address.ts';
import type { SearchClient } from './search-client.ts';
import type { SearchTarget } from './search-errors.ts';

/** What opening a server needs. */
export interface ServerParts {
  readonly address: SearchAddress;
  readonly target: SearchTarget;
  readonly client: SearchClient;
}

/** A server that has answered. */
export interface OpenedServer {
  /** How many passages it has. */
  readonly passages: number;
  /** Whether it can be searched by vectors, as far as its address says. */
  readonly takesVectors: boolean;
  /** @param meaning null: it is searched by words alone. */
  createRetriever(meaning: Meaning | null): Retriever;
}
