/** Creates the provider for servers that speak OpenAI's chat API: hosted ones, vLLM, LM Studio and others. */

import { isLocalAddress } from '../../base/local-address.ts';
import { RlmError } from '../../errors.ts';
import type { Provider } from '../provider.ts';
import { asUnavailable, failingAs } from '../wire/http-errors.ts';
import { fromConnection } from '../wire/server-errors.ts';
import { createChat } from './chat.ts';
import { inspectOpenAi, type OpenAiModel, surveyOpenAi } from './models.ts';
import {
  assertKey,
  type OpenAiNames,
  type OpenAiTarget,
  type OpenAiTargetOptions,
  readOpenAiTarget,
} from './target.ts';

export interface OpenAiOptions extends OpenAiTargetOptions {
  /** Null: the server's own choice, or the first of those that it has. */
  readonly model: string | null;
  /** The model's window, in tokens; null: as the server reports it. */
  readonly windowTokens?: number | null;
  /** Whether to refuse a server outside this machine and its network, because no trusted setting chose it. */
  readonly refuseRemote?: boolean;
}

const names: OpenAiNames = {
  baseUrl: 'openai.baseUrl',
  variable: 'OPENAI_BASE_URL',
  example: 'http://127.0.0.1:1234/v1',
  modelFlag: '--model',
  shorten:
    'Set openai.windowTokens (RLM_OPENAI_WINDOW_TOKENS) to what the server has, have it allow more, or lower context.passages.',
};

function unchosen({ display }: OpenAiTarget): RlmError {
  const message = `the project file names the provider or its model, and the text would be sent to ${display}`;
  return new RlmError('config-invalid', message, {
    hint: 'If you want that, name both yourself: --provider openai --model NAME (RLM_PROVIDER, RLM_MODEL), or trust the project (trustedProjects).',
  });
}

/**
 * Creates the provider. Throws `config-invalid` for an invalid base URL; `inspect` does when it refuses a server.
 * `inspect` and `call` throw what the provider contract says, and `call` also `prompt-too-long` when it finds that the
 * server has cut the prompt.
 */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { model, windowTokens = null, refuseRemote = false } = options;
  const found = readOpenAiTarget(options, model ?? 'the model', names);
  const chat = createChat();
  let inspected: OpenAiModel | null = null;

  function assertServes(): void {
    assertKey(found);
    if (refuseRemote && !isLocalAddress(found.url)) throw unchosen(found);
  }

  async function inspect(signal: AbortSignal): Promise<OpenAiModel> {
    assertServes();
    inspected = await inspectOpenAi(found, { model, windowTokens }, signal);
    return inspected;
  }

  /** Returns the target; a caller that skipped `inspect` gets the model that it would have found. */
  async function targetOf(signal: AbortSignal): Promise<OpenAiTarget> {
    if (model !== null) return found;
    const { info } = inspected ?? (await inspect(signal));
    return { ...found, model: info.model };
  }

  const toError = (error: unknown) => fromConnection(error, found);
  const toUnavailable = (error: unknown) => asUnavailable(toError(error));

  return {
    name: 'openai',
    inspect: (signal) => failingAs(toUnavailable, signal, async () => (await inspect(signal)).info),
    survey: (signal) =>
      failingAs(toUnavailable, signal, async () => {
        assertServes();
        return surveyOpenAi(found, model, signal);
      }),
    call: (request, callOptions) =>
      failingAs(toError, callOptions.signal, async () => {
        const target = await targetOf(callOptions.signal);
        return chat(request, target, inspected?.knownWindow ?? null, callOptions);
      }),
  };
}
