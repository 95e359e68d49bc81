import { describe, expect, it, onTestFinished } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import type { Embedder } from '../../src/providers/embedder.ts';

/** An embedder with its server. */
export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  /** The texts of each request. */
  received(): readonly (readonly string[])[];
  openSockets(): number;
  close(): Promise<void>;
}

type Create = () => Promise<EmbedderUnderTest>;

/** Functions that create embedders, by the behaviour of their servers. */
export interface EmbedderCases {
  /** Returns the vector [length of the text, 1] for each text. */
  readonly answers: Create;
  readonly stalls: Create;
  readonly fails: Create;
  /** Refuses texts of more than 100 bytes. */
  readonly isSmall: Create;
  /** Resets the connection. */
  readonly breaksOff: Create;
  readonly hasNoModel: Create;
  /** Returns one vector too few; vectors of different lengths; a vector with a value that is no number; no vectors. */
  readonly givesRubbish: readonly Create[];
}

const { signal } = new AbortController();

/** Tests an embedder against the contract of `Embedder`. */
export function embedderContract(name: string, cases: EmbedderCases): void {
  async function make(create: Create): Promise<EmbedderUnderTest> {
    const made = await create();
    onTestFinished(made.close);
    return made;
  }
  async function errorOf(create: Create, texts: readonly string[] = ['one', 'two']): Promise<RlmError> {
    const { embedder } = await make(create);
    const error: unknown = await embedder.embed(texts, signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RlmError);
    return error as RlmError;
  }

  describe(`${name} keeps the embedder contract`, () => {
    it('returns a vector for each text, in order, in one request', async () => {
      const { embedder, received } = await make(cases.answers);
      const texts = ['a', 'bb', 'ünï\u0000 "x"'];
      const { vectors, tokens } = await embedder.embed(texts, signal);
      expect(vectors.map((vector) => [...vector])).toEqual(texts.map(({ length }) => [length, 1]));
      expect(tokens).toBeGreaterThan(0);
      expect(received()).toEqual([texts]);
    });

    it('describes itself', async () => {
      const { embedder } = await make(cases.answers);
      expect(embedder.name).toBe(name);
      const info = await embedder.inspect(signal);
      expect(info.digest).toEqual(expect.any(String));
      expect(info.notices).toEqual([]);
    });

    it('serves concurrent requests', async () => {
      const { embedder } = await make(cases.answers);
      const replies = await Promise.all([1, 2, 3].map((length) => embedder.embed(['x'.repeat(length)], signal)));
      expect(replies.map(({ vectors }) => vectors[0]![0])).toEqual([1, 2, 3]);
    });

    it('reports a failing server, and that the request may be tried again', async () => {
      expect(await errorOf(cases.fails)).toMatchObject({ code: 'provider-failed', transient: true });
      expect(await errorOf(cases.breaksOff)).toMatchObject({ code: 'provider-failed', transient: true });
    });

    it('reports a missing model', async () => {
      expect(await errorOf(cases.hasNoModel)).toMatchObject({ code: 'model-missing', transient: false });
    });

    it('reports a text that is too long, and cuts none', async () => {
      expect(await errorOf(cases.isSmall, ['x', 'y'.repeat(2_000)])).toMatchObject({ code: 'prompt-too-long' });
    });

    it('refuses wrong vectors', async () => {
      for (const create of cases.givesRubbish) {
        expect(await errorOf(create)).toMatchObject({ code: 'provider-failed', transient: false });
      }
    });

    it('ends with the reason of an abort, and leaves no connection', async () => {
      const { embedder, received, openSockets } = await make(cases.stalls);
      const controller = new AbortController();
      const stopped = embedder.embed(['one'], controller.signal);
      const reason = new RlmError('interrupted', 'enough');
      const ended = expect(stopped).rejects.toBe(reason);
      await expect.poll(() => received().length).toBe(1);
      controller.abort(reason);
      await ended;
      await expect.poll(openSockets).toBe(0);
      await expect(embedder.embed(['two'], controller.signal)).rejects.toBe(reason);
    });
  });
}
