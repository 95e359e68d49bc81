import { type Embedded, type Embedder, type EmbedderInfo, readVectors } from '../embedder.ts';
import { asList, asObject, parseObject } from '../wire/json.ts';
import { calling, sendChecked } from '../wire/requests.ts';
import {
  assertKey,
  type OpenAiNames,
  type OpenAiTarget,
  type OpenAiTargetOptions,
  otherThan,
  readOpenAiTarget,
} from './target.ts';

const names: OpenAiNames = {
  baseUrl: 'embedding.baseUrl',
  variable: 'RLM_EMBEDDING_BASE_URL',
  example: 'http://127.0.0.1:8080/v1',
  modelFlag: '--embedding-model',
  shorten: 'Lower context.chunkTokens or embedding.batch.',
};

/** Returns vectors in the order of their `index`, because the API promises no order. */
function inOrder(data: unknown): unknown[] {
  const items = asList(data).map(asObject).entries();
  const byIndex = new Map(
    Array.from(items, ([place, { index, embedding }]) => [typeof index === 'number' ? index : place, embedding]),
  );
  return Array.from(byIndex, (_, place) => byIndex.get(place));
}

async function requestVectors(target: OpenAiTarget, texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
  const body = { model: target.model, input: texts, encoding_format: 'float' };
  const response = await sendChecked(target, '/embeddings', signal, body);
  const reply = parseObject(await response.text());
  if (reply === null || !Array.isArray(reply['data'])) throw otherThan(target, 'vectors');
  const tokens = asObject(reply['usage'])['prompt_tokens'];
  const vectors = readVectors(inOrder(reply['data']), texts.length, target.display);
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null };
}

/** Creates the embedder for a server that speaks OpenAI's API. Throws `config-invalid` for an invalid base URL. */
export function createOpenAiEmbedder(options: OpenAiTargetOptions & { readonly model: string }): Embedder {
  const target = readOpenAiTarget(options, options.model, names);

  return {
    name: 'openai',
    model: target.model,
    address: target.display,
    async inspect(signal): Promise<EmbedderInfo> {
      signal.throwIfAborted();
      assertKey(target);
      // The API reports no model version. The address distinguishes models of the same name on two servers.
      return { digest: target.display, notices: [] };
    },
    embed: (texts, signal) => calling(target, signal, () => requestVectors(target, texts, signal)),
  };
}
