import { withDeadline } from '../../base/abort.ts';
import { now } from '../../base/time.ts';
import { tokensOf, weigh } from '../../context/text-size.ts';
import { RlmError } from '../../errors.ts';
import type { Embedded, Embedder, EmbedderInfo } from '../../providers/embedder.ts';
import { withRetries } from '../door/retry.ts';
import { isCredible } from '../door/window.ts';
import type { EventBody } from '../events.ts';

/** Stores vectors of one version of one model between runs. */
export interface VectorArchive {
  /** Returns the stored vectors of these texts, by index into `texts`. Never rejects. */
  find(texts: readonly string[]): Promise<ReadonlyMap<number, Float32Array>>;
  /** Stores vectors. Never rejects: a failure to store is a warning. */
  keep(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>;
}

/** The dependencies of `createEmbed`. */
export interface EmbedParts {
  readonly embedder: Embedder;
  /** Returns null when vectors are not stored. */
  readonly openArchive: (info: EmbedderInfo) => VectorArchive | null;
  /** Time limit of one request, in seconds. */
  readonly timeout: number;
  readonly timeLeftMs: () => number;
  readonly emit: (event: EventBody) => void;
}

interface Spent {
  requests: number;
  tokens: number;
}

const late = (seconds: number): RlmError =>
  new RlmError('call-timeout', `the embedding model did not finish within ${seconds} s`, {
    hint: 'Allow more with --call-timeout (setting budget.callTimeout), or lower embedding.batch.',
  });

function chargedTokens(texts: readonly string[], counted: number | null): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const estimate = texts.reduce((sum, text) => sum + tokensOf(weigh(text)), 0);
  const most = bytes + 32 * texts.length;
  return counted !== null && isCredible(counted, estimate, most) ? counted : estimate;
}

const isTooLong = (error: unknown): boolean => error instanceof RlmError && error.code === 'prompt-too-long';

/** Cuts a text in two near its middle: preferably at a space, and never within a character. */
function halves(text: string): [string, string] {
  const middle = text.length >> 1;
  const space = text.lastIndexOf(' ', middle);
  const isLow = /[\udc00-\udfff]/.test(text[middle]!);
  const cut = space > text.length / 4 ? space : middle + (isLow ? 1 : 0);
  return [text.slice(0, cut), text.slice(cut)];
}

/** Returns the mean direction of two vectors, weighted by `shares`. */
function mean([first, second]: readonly Float32Array[], shares: readonly number[]): Float32Array {
  const lengthOf = (vector: Float32Array) => Math.hypot(...vector) || 1;
  const [a, b] = [shares[0]! / lengthOf(first!), shares[1]! / lengthOf(second!)];
  return first!.map((value, place) => a * value + b * second![place]!);
}

/** Length of the shortest text that is halved, in characters. */
const shortestHalved = 32;

type Make = (texts: readonly string[], signal: AbortSignal, spent: Spent) => Promise<readonly Float32Array[]>;

/**
 * If a request is too long, halves it until each part fits. The vector of a halved text is the mean of the vectors of
 * its halves.
 */
const halving = (once: Make): Make =>
  async function make(texts, signal, spent): Promise<readonly Float32Array[]> {
    try {
      return await once(texts, signal, spent);
    } catch (error) {
      const [only = ''] = texts;
      const isOne = texts.length === 1;
      if (!isTooLong(error) || (isOne && only.length < shortestHalved)) throw error;
      const parts = isOne ? halves(only) : texts;
      const middle = parts.length >> 1;
      const first = await make(parts.slice(0, middle), signal, spent);
      const vectors = [...first, ...(await make(parts.slice(middle), signal, spent))];
      const shares = parts.map(({ length }) => length / only.length);
      return isOne ? [mean(vectors, shares)] : vectors;
    }
  };

/**
 * Creates the function that computes vectors or finds stored ones. The function rejects with RlmError, or with the
 * signal's reason.
 */
export function createEmbed(parts: EmbedParts) {
  const { embedder, timeout, timeLeftMs, emit } = parts;
  let archive: VectorArchive | null = null;
  let isOpen = false;
  let dimensions: number | null = null;

  async function open(signal: AbortSignal): Promise<void> {
    const info = await embedder.inspect(signal);
    if (!isOpen) archive = parts.openArchive(info);
    isOpen = true;
  }

  function checkLength(vectors: readonly Float32Array[]): void {
    for (const { length } of vectors) {
      dimensions ??= length;
      if (length === dimensions) continue;
      const message = `${embedder.model} returned vectors of ${length} numbers after vectors of ${dimensions}`;
      throw new RlmError('provider-failed', message, {
        hint: 'If the model was changed, remove the stored vectors: rlm cache clear',
      });
    }
  }

  function request(texts: readonly string[], signal: AbortSignal, spent: Spent): Promise<Embedded> {
    const once = () => {
      spent.requests += 1;
      const send = (deadline: AbortSignal) => embedder.embed(texts, deadline);
      return withDeadline(timeout * 1000, () => late(timeout), signal, send);
    };
    return withRetries(once, {
      signal,
      timeLeftMs,
      mayRetry: () => true,
      onRetry: (attempt, waitMs, error) => emit({ type: 'embedding.retried', attempt, waitMs, error: error.toInfo() }),
    });
  }

  const make = halving(async (texts, signal, spent) => {
    const { vectors, tokens } = await request(texts, signal, spent);
    spent.tokens += chargedTokens(texts, tokens);
    checkLength(vectors);
    return vectors;
  });

  /** Finds the stored vectors whose length is `dimensions`. A vector of another length comes from another model. */
  async function findKept(texts: readonly string[]): Promise<ReadonlyMap<number, Float32Array>> {
    const kept = (await archive?.find(texts)) ?? new Map<number, Float32Array>();
    const [first] = kept.values();
    dimensions ??= first?.length ?? null;
    return new Map([...kept].filter(([, vector]) => vector.length === dimensions));
  }

  return async function embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const startedAt = now();
    await open(signal);
    const kept = await findKept(texts);
    // The same text may occur many times, such as a licence at the head of each file.
    const missing = [...new Set(texts.filter((_, place) => !kept.has(place)))];
    const spent: Spent = { requests: 0, tokens: 0 };
    let made: readonly Float32Array[] = [];
    try {
      if (missing.length > 0) made = await make(missing, signal, spent);
      if (made.length > 0) await archive?.keep(missing, made);
      const vectors = new Map(missing.map((text, place) => [text, made[place]!]));
      return texts.map((text, place) => kept.get(place) ?? vectors.get(text)!);
    } finally {
      const counts = { made: made.length, reused: kept.size, ...spent };
      emit({ type: 'embedding.completed', ...counts, timeMs: Math.round(now() - startedAt) });
    }
  };
}
