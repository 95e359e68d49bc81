/** The embedder for servers that speak OpenAI's API: hosted ones, vLLM, LM Studio, llama.cpp's server, and others. */
import { withoutLogin } from '../config/login.ts';
import { RlmError } from '../errors.ts';
import type { Embedded, Embedder, EmbedderInfo } from './embedder.ts';
import { createHttpFetch, type HttpFetch } from './http.ts';
import { asList, asObject, parseObject } from './json.ts';
import { fromOpenAiConnection, fromOpenAiStatus, type OpenAiTarget, unreadableReply } from './openai-errors.ts';
import { readVectors } from './vectors.ts';

export interface OpenAiOptions {
  /** Everything before `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null for servers that want none. */
  readonly apiKey: string | null;
  /** Takes secrets out of what the server says when something is wrong. */
  readonly redact?: (text: string) => string;
}

const hosted = 'api.openai.com';

function readTarget({ baseUrl, model, redact = (text) => text }: OpenAiOptions): OpenAiTarget {
  const url = baseUrl.trim().replace(/\/+$/, '');
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url) || /[?#\s]/.test(url)) {
    throw new RlmError('config-invalid', `embedding.baseUrl is no address: "${withoutLogin(baseUrl)}"`, {
      hint: 'Set it to something like http://127.0.0.1:8080/v1 (RLM_EMBEDDING_BASE_URL).',
    });
  }
  return { url, display: withoutLogin(url), model, redact };
}

function missingKey({ model }: OpenAiTarget): RlmError {
  return new RlmError('credentials-refused', `OPENAI_API_KEY is not set, and ${hosted} wants a key for ${model}`, {
    hint: 'Set OPENAI_API_KEY, or name a server of your own: RLM_EMBEDDING_BASE_URL=http://127.0.0.1:8080/v1',
  });
}

/** The vectors by their `index`: the order is not promised. */
function inOrder(data: unknown): unknown[] {
  const sorted: unknown[] = [];
  for (const [place, item] of asList(data).map(asObject).entries()) {
    const { index = place, embedding } = item;
    sorted[typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : place] = embedding;
  }
  return sorted;
}

async function requestVectors(
  http: HttpFetch,
  target: OpenAiTarget,
  texts: readonly string[],
  apiKey: string | null,
  signal: AbortSignal,
): Promise<Embedded> {
  const body = JSON.stringify({ model: target.model, input: texts, encoding_format: 'float' });
  const login: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...login };
  const response = await http(`${target.url}/embeddings`, { method: 'POST', body, headers, signal });
  const text = await response.text();
  if (!response.ok) {
    throw fromOpenAiStatus({ status: response.status, headers: response.headers, text: target.redact(text) }, target);
  }
  const reply = parseObject(text);
  if (reply === null || !Array.isArray(reply['data'])) throw unreadableReply(target);
  const tokens = asObject(reply['usage'])['prompt_tokens'];
  const vectors = readVectors(inOrder(reply['data']), texts.length, target.display);
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null };
}

/** Throws `config-invalid` when the base URL is none; `inspect` makes no request, and throws when a key is missing. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const target = readTarget(options);
  const { apiKey } = options;
  const http = createHttpFetch();

  return {
    name: 'openai',
    model: target.model,
    address: target.display,
    async inspect(signal): Promise<EmbedderInfo> {
      signal.throwIfAborted();
      if (apiKey === null && new URL(target.url).hostname === hosted) throw missingKey(target);
      // The API tells no version of a model; another server's model of the same name is another one.
      return { digest: target.display, notices: [] };
    },
    async embed(texts, signal) {
      try {
        return await requestVectors(http, target, texts, apiKey, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw fromOpenAiConnection(error, target);
      }
    },
  };
}
