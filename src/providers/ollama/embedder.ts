import { type Embedded, type Embedder, type EmbedderInfo, readVectors } from '../embedder.ts';
import { createHttpFetch, type HttpFetch } from '../wire/http.ts';
import { failingAs } from '../wire/http-errors.ts';
import { asList, type Json, parseObject } from '../wire/json.ts';
import { brokenReply, fromConnection, fromStatus } from '../wire/server-errors.ts';
import { type OllamaTarget, ollamaWords } from './errors.ts';
import { durationMs, parseOllamaHost, request } from './host.ts';
import { digestOf, remoteHost, remoteNotice, showOllama, unchosenRemote } from './inspect.ts';
import type { OllamaOptions } from './provider.ts';

/** Returns a notice when the model is made for something else. Servers before 0.6.4 do not report it. */
function purposeNotices(target: OllamaTarget, shown: Json): string[] {
  const capabilities = asList(shown['capabilities']);
  if (capabilities.length === 0 || capabilities.includes('embedding')) return [];
  return [`${target.model} is not made for embeddings but for ${capabilities.join(', ')}`];
}

/** Sends one request to /api/embed. An overlong text is refused instead of being cut. */
async function requestVectors(
  http: HttpFetch,
  target: OllamaTarget,
  texts: readonly string[],
  keepAlive: string | undefined,
  signal: AbortSignal,
): Promise<Embedded> {
  const keep = keepAlive === undefined ? {} : { keep_alive: durationMs(keepAlive) };
  const body = JSON.stringify({ model: target.model, input: texts, truncate: false, ...keep });
  const response = await request(http, target, '/api/embed', { method: 'POST', body, signal });
  if (response.status < 200 || response.status > 299) throw fromStatus(response, target);
  const reply = parseObject(response.text);
  if (reply === null) throw brokenReply(target, 'is not JSON');
  const { embeddings, prompt_eval_count: tokens } = reply;
  const vectors = readVectors(embeddings, texts.length, `Ollama at ${target.display}`);
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null };
}

/** Creates the embedder for an Ollama server. Throws `config-invalid` for its host; `inspect` for a remote model. */
export function createOllamaEmbedder(options: OllamaOptions): Embedder {
  const { host, model, keepAlive, refuseRemote = false, redact = (text) => text, env = {} } = options;
  const target: OllamaTarget = {
    ...parseOllamaHost(host),
    model,
    redact,
    words: ollamaWords(model),
    env,
    makesVectors: true,
  };
  const http = createHttpFetch();

  return {
    name: 'ollama',
    model,
    address: target.display,
    async inspect(signal): Promise<EmbedderInfo> {
      const shown = await showOllama(http, target, signal);
      const remote = remoteHost(target, shown);
      if (refuseRemote && remote !== null) throw unchosenRemote(target, remote);
      const notices = remote === null ? [] : [remoteNotice(target, remote)];
      return { digest: digestOf(shown), notices: [...purposeNotices(target, shown), ...notices] };
    },
    embed(texts, signal) {
      const toError = (error: unknown) => fromConnection(error, target);
      return failingAs(toError, signal, () => requestVectors(http, target, texts, keepAlive, signal));
    },
  };
}
