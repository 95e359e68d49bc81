import { basename } from 'node:path';
import { RlmError } from '../../errors.ts';
import { type Embedder, readVectors } from '../embedder.ts';
import { largestContext } from './file.ts';
import type { LlamaEmbeddingContext } from './interface.ts';
import { createSource, type LlamaCppOptions, type LoadedModel } from './model.ts';

/** A text must have fewer tokens than this. It is embedded in one step, whose memory grows with the text. */
const mostTokens = 2_048;

const tooLong = (name: string, tokens: number, window: number): RlmError =>
  new RlmError('prompt-too-long', `a text has ${tokens} tokens, and ${name} takes fewer than ${window} at once`, {
    hint: 'Lower context.chunkTokens.',
  });

async function embedAll(
  context: LlamaEmbeddingContext,
  name: string,
  window: number,
  texts: readonly string[],
  signal: AbortSignal,
) {
  const lengths = texts.map((text) => context.calculateInputLength(text));
  for (const length of lengths) if (length >= window) throw tooLong(name, length, window);
  const lists: (readonly number[])[] = [];
  for (const text of texts) {
    signal.throwIfAborted();
    lists.push((await context.getEmbeddingFor(text)).vector);
  }
  return { vectors: readVectors(lists, texts.length, name), tokens: lengths.reduce((sum, length) => sum + length, 0) };
}

/** Creates the embedder for a GGUF file in this process. */
export function createLlamaCppEmbedder(options: LlamaCppOptions & { readonly model: string }): Embedder {
  const source = createSource(options, '--embedding-model or RLM_EMBEDDING_MODEL', () => {});
  const name = basename(options.model);
  let context: LlamaEmbeddingContext | null = null;

  return {
    name: 'llama-cpp',
    model: name,
    address: options.model,
    async inspect(signal) {
      const { file } = await source.look(signal);
      const notices =
        file.madeFor === 'vectors' ? [] : [`${name} is possibly not made for vectors; searches may find little`];
      return { digest: file.digest, notices };
    },
    async embed(texts, signal) {
      const { file } = await source.look(signal);
      const window = Math.min(mostTokens, largestContext(file));
      const make = async ({ model, threads }: LoadedModel, signal: AbortSignal) => {
        context ??= await model.createEmbeddingContext({ contextSize: window, batchSize: window, threads });
        return embedAll(context, name, window, texts, signal);
      };
      return source.inTurn('make vectors', make, signal);
    },
    close: source.close,
  };
}
