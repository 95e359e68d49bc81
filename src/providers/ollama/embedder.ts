import { type Embedded, type Embedder, type EmbedderInfo, readVectors } from '../embedder.ts';
import { asList, type Json, parseObject } from '../wire/json.ts';
import { calling, sendChecked } from '../wire/requests.ts';
import { brokenReply } from '../wire/server-errors.ts';
import { digestOf, remoteHost, remoteNotice, showOllama, unchosenRemote } from './inspect.ts';
import { type OllamaOptions, type OllamaTarget, readOllamaTarget } from './target.ts';

/** Warns if the model is not made for embeddings. Servers before 0.6.4 do not report what a model is made for. */
function purposeNotices(target: OllamaTarget, shown: Json): string[] {
  const capabilities = asList(shown['capabilities']);
  if (capabilities.length === 0 || capabilities.includes('embedding')) return [];
  return [`${target.model} is not made for embeddings but for ${capabilities.join(', ')}`];
}

/** Requests vectors. The server refuses an overlong text instead of cutting it. */
async function requestVectors(target: OllamaTarget, input: readonly string[], signal: AbortSignal): Promise<Embedded> {
  const { model, keep } = target;
  const response = await sendChecked(target, '/api/embed', signal, { model, input, truncate: false, ...keep });
  const reply = parseObject(await response.text());
  if (reply === null) throw brokenReply(target, 'is not JSON');
  const { embeddings, prompt_eval_count: tokens } = reply;
  const vectors = readVectors(embeddings, input.length, `Ollama at ${target.display}`);
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null };
}

/** Creates the embedder for an Ollama server. Throws `config-invalid` when the host is no address. */
export function createOllamaEmbedder(options: OllamaOptions): Embedder {
  const target = readOllamaTarget(options, true);

  return {
    name: 'ollama',
    model: target.model,
    address: target.display,
    async inspect(signal): Promise<EmbedderInfo> {
      const shown = await showOllama(target, signal);
      const remote = remoteHost(target, shown);
      if (options.refuseRemote && remote !== null) throw unchosenRemote(target, remote);
      const notices = remote === null ? [] : [remoteNotice(target, remote)];
      return { digest: digestOf(shown), notices: [...purposeNotices(target, shown), ...notices] };
    },
    embed: (texts, signal) => calling(target, signal, () => requestVectors(target, texts, signal)),
  };
}
