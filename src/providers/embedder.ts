import { counted } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import { asList } from './wire/json.ts';

/** The description of an embedder and its model. */
export interface EmbedderInfo {
  /** A value that differs between versions of the model, such as a hash; null if the server reports none. */
  readonly digest: string | null;
  readonly notices: readonly string[];
}

export interface Embedded {
  /** One vector for each text, in order. All have the same length and contain only finite numbers. */
  readonly vectors: readonly Float32Array[];
  /** The server's token count; null if not reported. */
  readonly tokens: number | null;
}

/**
 * Turns texts into vectors; similar meanings give similar directions. `tests/contracts/embedder.ts` tests that every
 * embedder fulfils this contract:
 * - `inspect` and `embed` reject only with an `RlmError`, whose code says what went wrong.
 * - `embed` sends one request. An aborted request rejects within a second with the signal's reason, and leaves no open
 *   connection behind.
 * - Texts are never shortened. `embed` throws `prompt-too-long` if a text is too long or if there are too many texts.
 * - `embed` neither retries nor caches; `run/` does both. Requests may run concurrently.
 */
export interface Embedder {
  readonly name: string;
  readonly model: string;
  /** The server's address or the model's file, as messages show it: without credentials. */
  readonly address: string;
  /** Throws as a provider's `inspect` does. */
  inspect(signal: AbortSignal): Promise<EmbedderInfo>;
  /** @param texts texts that are not blank. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Frees the embedder's resources in this process. Never rejects; no request may follow. */
  close?(): Promise<void>;
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/** Reads `count` vectors of equal length. Throws `provider-failed` for other values. The message begins with `who`. */
export function readVectors(value: unknown, count: number, who: string): Float32Array[] {
  const lists = asList(value).map(asList);
  const wrong = (what: string) =>
    new RlmError('provider-failed', `${who} returned unusable vectors: ${what}`, {
      hint: 'Check that the model is made for embeddings, or choose another with --embedding-model.',
    });
  if (lists.length !== count) throw wrong(`${lists.length} for ${counted(count, 'text')}`);
  const length = lists[0]?.length ?? 0;
  if (count > 0 && length === 0) throw wrong('they are empty');
  return lists.map((list) => {
    if (list.length !== length) throw wrong(`one has ${counted(list.length, 'number')}, another ${length}`);
    if (!list.every(isNumber)) throw wrong('one contains something that is not a finite number');
    return Float32Array.from(list as number[]);
  });
}
