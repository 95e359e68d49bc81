import type { Embed, Retriever } from './retriever.ts';
import type { SearchAddress } from './search-address.ts';
import type { SearchClient } from './search-client.ts';
import type { SearchTarget } from './search-errors.ts';

/** What opening a server needs. */
export interface ServerParts {
  readonly address: SearchAddress;
  readonly target: SearchTarget;
  readonly client: SearchClient;
  /** Null: it is searched by words alone. */
  readonly embed: Embed | null;
}

/** A server that has answered. */
export interface OpenedServer {
  readonly retriever: Retriever;
  /** How many passages it has. */
  readonly passages: number;
}
