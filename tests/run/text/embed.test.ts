import { describe, expect, it } from 'vitest';
import { RlmError } from '../../../src/errors.ts';
import type { Embedder } from '../../../src/providers/embedder.ts';
import type { EventBody } from '../../../src/run/events.ts';
import { createEmbed, type VectorArchive } from '../../../src/run/text/embed.ts';
import { createLocalEmbedder } from '../../support/embeddings.ts';

const { signal } = new AbortController();

/** A store that keeps vectors in memory. */
function createMemoryArchive(kept = new Map<string, Float32Array>()): VectorArchive & { kept: typeof kept } {
  return {
    kept,
    find: async (texts) => new Map(texts.flatMap((text, place) => (kept.has(text) ? [[place, kept.get(text)!]] : []))),
    keep: async (texts, vectors) => {
      for (const [place, text] of texts.entries()) kept.set(text, vectors[place]!);
    },
  };
}

interface Changes {
  readonly archive?: VectorArchive | null;
  readonly timeout?: number;
  readonly timeLeftMs?: number;
}

function create(embedder: Embedder, { archive = null, timeout = 5, timeLeftMs = 60_000 }: Changes = {}) {
  const events: EventBody[] = [];
  const embed = createEmbed({
    embedder,
    openArchive: () => archive,
    timeout,
    timeLeftMs: () => timeLeftMs,
    emit: (event) => events.push(event),
  });
  return { embed, events, of: (type: EventBody['type']) => events.filter((event) => event.type === type) };
}

const plain = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);
const lengthOf = (text: string) => [text.length, 1];
const busy = () => new RlmError('rate-limited', 'busy', { transient: true, retryAfterMs: 0 });

describe('the door to an embedding model', () => {
  it('counts the cost of vectors', async () => {
    const { embed, events } = create(createLocalEmbedder(lengthOf));
    expect(plain(await embed(['a', 'bb'], signal))).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(events).toEqual([
      { type: 'embedding.completed', requests: 1, made: 2, reused: 0, tokens: 2, timeMs: expect.any(Number) },
    ]);
  });

  it('requests only the missing vectors, and stores them', async () => {
    const embedder = createLocalEmbedder(lengthOf);
    const archive = createMemoryArchive(new Map([['bb', Float32Array.of(2, 1)]]));
    const { embed, of } = create(embedder, { archive });
    expect(plain(await embed(['a', 'bb', 'ccc'], signal))).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(embedder.requests).toEqual([['a', 'ccc']]);
    expect([...archive.kept.keys()].sort()).toEqual(['a', 'bb', 'ccc']);
    await embed(['ccc', 'a'], signal);
    expect(embedder.requests).toHaveLength(1);
    expect(of('embedding.completed')).toMatchObject([
      { requests: 1, made: 2, reused: 1 },
      { requests: 0, made: 0, reused: 2, tokens: 0 },
    ]);
  });

  it('requests once a text that occurs several times', async () => {
    const embedder = createLocalEmbedder(lengthOf);
    const { embed } = create(embedder);
    expect(plain(await embed(['a', 'bb', 'a'], signal)).map(([length]) => length)).toEqual([1, 2, 1]);
    expect(embedder.requests).toEqual([['a', 'bb']]);
  });

  it('tries twice more after a transient failure', async () => {
    let failures = 2;
    const embedder = createLocalEmbedder((text) => {
      if (failures-- > 0) throw busy();
      return lengthOf(text);
    });
    const { embed, of } = create(embedder);
    expect(plain(await embed(['a'], signal))).toEqual([[1, 1]]);
    expect(of('embedding.retried')).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
    expect(of('embedding.completed')).toMatchObject([{ requests: 3 }]);
  });

  it('then gives up, and reports the time', async () => {
    const { embed, of } = create(
      createLocalEmbedder(() => {
        throw busy();
      }),
    );
    await expect(embed(['a'], signal)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(of('embedding.completed')).toMatchObject([{ requests: 3, made: 0, tokens: 0 }]);
  });

  it('begins no wait beyond the time of the run', async () => {
    const slow = () => {
      throw new RlmError('rate-limited', 'busy', { transient: true, retryAfterMs: 5_000 });
    };
    const { embed, of } = create(createLocalEmbedder(slow), { timeLeftMs: 1_000 });
    await expect(embed(['a'], signal)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(of('embedding.retried')).toEqual([]);
  });

  it('waits no longer than the limit of a call', async () => {
    const stalling: Embedder = {
      ...createLocalEmbedder(),
      embed: (_, either) =>
        new Promise((_resolve, reject) => either.addEventListener('abort', () => reject(either.reason))),
    };
    await expect(create(stalling, { timeout: 0.02 }).embed(['a'], signal)).rejects.toMatchObject({
      code: 'call-timeout',
      message: 'the embedding model did not finish within 0.02 s',
    });
  });

  it('refuses vectors of another length than before', async () => {
    const { embed } = create(createLocalEmbedder((_, request) => new Array(request + 2).fill(1)));
    await embed(['a'], signal);
    await expect(embed(['b'], signal)).rejects.toMatchObject({
      code: 'provider-failed',
      message: 'bag returned vectors of 3 numbers after vectors of 2',
      hint: expect.stringContaining('rlm cache clear'),
    });
  });

  it("uses no stored vector of another length than the model's", async () => {
    const archive = createMemoryArchive(new Map([['old', Float32Array.of(1, 2, 3)]]));
    const embedder = createLocalEmbedder(lengthOf);
    const { embed } = create(embedder, { archive });
    await embed(['new'], signal);
    expect(plain(await embed(['old'], signal))).toEqual([[3, 1]]);
  });

  it('inspects the model again if that was not possible before', async () => {
    let looks = 0;
    const embedder: Embedder = {
      ...createLocalEmbedder(lengthOf),
      inspect: async () => {
        looks += 1;
        if (looks === 1) throw new RlmError('provider-unreachable', 'not yet');
        return { digest: null, notices: [] };
      },
    };
    const { embed } = create(embedder);
    await expect(embed(['a'], signal)).rejects.toThrow('not yet');
    expect(await embed(['a'], signal)).toHaveLength(1);
  });
});

describe('texts that are too long', () => {
  /** Accepts this many characters in total. */
  const taking = (most: number, vectorOf: (text: string) => readonly number[]) => {
    const embedder = createLocalEmbedder((text) => vectorOf(text));
    const limited: Embedder = {
      ...embedder,
      embed: async (texts, either) => {
        if (texts.join('').length > most) throw new RlmError('prompt-too-long', 'too long');
        return embedder.embed(texts, either);
      },
    };
    return { embedder, limited };
  };

  it('are sent in smaller requests, in order', async () => {
    const { embedder, limited } = taking(100, (text) => [text.length, 1]);
    const texts = [10, 90, 20, 30, 40].map((length) => 'x'.repeat(length));
    const vectors = await create(limited).embed(texts, signal);
    expect(vectors.map(([length]) => length)).toEqual([10, 90, 20, 30, 40]);
    expect(embedder.requests.flat()).toEqual(texts);
  });

  it('are read in parts, without omissions, and become the mean of these', async () => {
    const { embedder, limited } = taking(100, (text) => (text.includes('a') ? [2, 0] : [0, 5]));
    const text = `${'a'.repeat(75)} ${'b'.repeat(74)}`;
    const [vector] = plain(await create(limited).embed([text], signal)) as [number[]];
    expect(embedder.requests.flat().join('')).toBe(text);
    expect(vector[0]).toBeCloseTo(0.5, 2);
    expect(vector[1]).toBeCloseTo(0.5, 2);
  });

  it('are never cut within a character', async () => {
    const { embedder, limited } = taking(41, () => [1]);
    const text = '🔑'.repeat(100);
    await create(limited).embed([`x${text}`], signal);
    expect(embedder.requests.flat().join('')).toBe(`x${text}`);
    expect(embedder.requests.flat().every((part) => part.isWellFormed())).toBe(true);
  });

  it('that no model accepts end in an error', async () => {
    const { limited } = taking(0, () => [1]);
    await expect(create(limited).embed(['x'.repeat(1_000)], signal)).rejects.toMatchObject({ code: 'prompt-too-long' });
  });
});
