import { counted } from '../base/text.ts';
import { RlmError } from '../errors.ts';
import { asList } from './wire/json.ts';

/** The description of an embedder and its model. */
export interface EmbedderInfo {
  /** Identifies this version of the model. Null when the server does not report it. */
  readonly digest: string | null;
  readonly notices: readonly string[];
}

export interface Embedded {
  /** One for each text, in order; all of one length, of finite numbers. */
  readonly vectors: readonly Float32Array[];
  /** As counted by the server; null if not reported. */
  readonly tokens: number | null;
}

/**
 * Turns texts into vectors whose directions show how similar their meanings are. `tests/contracts/embedder.ts` tests
 * the contract of every embedder:
 * - `inspect` and `embed` reject only with an `RlmError`, whose code says what went wrong.
 * - `embed` is one request. An aborted one rejects within a second with the signal's reason, and leaves no open
 *   connection behind.
 * - A text is never shortened: if one is too long for the model, or if there are too many, `prompt-too-long` is thrown.
 * - No retries, and no cache: those are in `run/`. Requests may run concurrently.
 */
export interface Embedder {
  readonly name: string;
  readonly model: string;
  /** Its address for messages, without credentials. */
  readonly address: string;
  /** Throws as a provider's `inspect` does. */
  inspect(signal: AbortSignal): Promise<EmbedderInfo>;
  /** @param texts none of them blank. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
  /** Frees its resources in this process. Never rejects; no request may follow. */
  close?(): Promise<void>;
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

/** Reads `count` vectors of one length. Throws `provider-failed` for anything else; its message begins with `who`. */
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
