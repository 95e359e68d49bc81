import { type ErrorCode, RlmError } from '../../errors.ts';
import type { PullOptions, PullProgress } from '../provider.ts';
import type { HttpResponse } from '../wire/http.ts';
import { errorIn, readFully } from '../wire/http-errors.ts';
import type { Json } from '../wire/json.ts';
import { send } from '../wire/requests.ts';
import { brokenReply, explain, fromConnection, fromStatus, notTheServer } from '../wire/server-errors.ts';
import { readObjects } from './chat.ts';
import type { OllamaTarget } from './target.ts';

const goesOn = 'Run the same command again: it continues the download.';

const failures: readonly (readonly [RegExp, ErrorCode])[] = [
  [/manifest: (file does not exist|.*\b404\b)/i, 'model-missing'],
  [/no space left|not enough (disk )?space|disk (is )?full|disk quota/i, 'no-space'],
];

function fromPullBody(body: string, { display, model }: OllamaTarget): RlmError {
  const message = explain(body);
  const code = failures.find(([words]) => words.test(message))?.[1] ?? 'provider-failed';
  const hint = code === 'model-missing' ? 'The names are at https://ollama.com/library' : goesOn;
  return new RlmError(code, `Ollama at ${display} could not pull ${model}: ${message}`, { hint });
}

async function refusal(response: HttpResponse, target: OllamaTarget): Promise<RlmError> {
  const read = await readFully(response, target.redact);
  const { text } = read;
  const error = errorIn(text);
  if (response.status === 404) return notTheServer(target, 'it knows no /api/pull (404)', true);
  if (response.status === 400 && error !== null && /name/i.test(error)) {
    const message = `Ollama at ${target.display} refuses the model name "${target.model}": ${error}`;
    return new RlmError('model-missing', message, { hint: 'For example: llama3.2:3b. See https://ollama.com/library' });
  }
  if (response.status >= 500 && error !== null) return fromPullBody(text, target);
  return fromStatus(read, target);
}

function readProgress({ status, digest, total, completed }: Json): PullProgress {
  return {
    status: typeof status === 'string' ? status : '',
    digest: typeof digest === 'string' ? digest : null,
    completedBytes: typeof completed === 'number' ? completed : 0,
    totalBytes: typeof total === 'number' ? total : null,
  };
}

async function pull(target: OllamaTarget, { signal, onProgress }: PullOptions): Promise<void> {
  const response = await send(target, '/api/pull', signal, { model: target.model, stream: true });
  if (!response.ok) throw await refusal(response, target);
  let status = '';
  for await (const line of readObjects(response, target, fromPullBody, true)) {
    const progress = readProgress(line);
    status = progress.status;
    onProgress(progress);
  }
  if (status !== 'success') throw brokenReply(target, 'ended before it was done');
}

/** Downloads the target's model. Throws as `pull` of the provider contract does. */
export async function pullOllama(target: OllamaTarget, options: PullOptions): Promise<void> {
  try {
    await pull(target, options);
  } catch (thrown) {
    options.signal.throwIfAborted();
    const error = fromConnection(thrown, target);
    if (error.code !== 'provider-failed') throw error;
    throw new RlmError(error.code, error.message, { hint: goesOn, cause: thrown });
  }
}
