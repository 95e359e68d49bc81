import { isLocalAddress } from '../../base/local-address.ts';
import { RlmError } from '../../errors.ts';
import type { CallOptions, ModelInfo, ModelReply, ModelRequest, Provider } from '../provider.ts';
import { assertWhole } from '../wire/cut-prompt.ts';
import { calling, inspecting, sendChecked } from '../wire/requests.ts';
import { refusalOf } from '../wire/server-errors.ts';
import { inspectOpenAi, surveyOpenAi } from './models.ts';
import { readReply } from './reply.ts';
import { chatBody, type Optional, refusedBy } from './request.ts';
import {
  assertKey,
  type OpenAiNames,
  type OpenAiTarget,
  type OpenAiTargetOptions,
  readOpenAiTarget,
} from './target.ts';

export interface OpenAiOptions extends OpenAiTargetOptions {
  /** Null for the model that `chooseModel` picks. */
  readonly model: string | null;
  /** In tokens; null for the window that the server reports. */
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
    'Set openai.windowTokens (RLM_OPENAI_WINDOW_TOKENS) to the window of the server, raise the window of the server, or lower context.passages.',
};

const streaming = (target: OpenAiTarget): OpenAiTarget => ({
  ...target,
  headers: { ...target.headers, accept: 'text/event-stream, application/json' },
});

/** Parameters whose omission may change replies noticeably. The user is told if the server refuses one of them. */
const telling: readonly Optional[] = ['json_schema', 'json_object', 'tools', 'temperature', 'seed'];

async function withoutRefusedTools(request: ModelRequest, refused: ReadonlySet<Optional>): Promise<ModelRequest> {
  if (!refused.has('tools')) return request;
  const { withoutTools } = await import('../wire/tools-in-words.ts');
  return { ...request, messages: withoutTools(request) };
}

/** Creates the function that calls one server. The function remembers which parameters the server refuses. */
export function createChat() {
  const known = new Set<Optional>();

  /** Remembers the refused parameters. Called only after a request without them has succeeded. */
  function learn(refused: ReadonlySet<Optional>, { model, display }: OpenAiTarget, { onNotice }: CallOptions): void {
    const told = [...refused].filter((name) => !known.has(name) && telling.includes(name));
    for (const name of refused) known.add(name);
    if (told.length > 0) onNotice?.(`${model} at ${display} does not accept ${told.join(', ')}; requests omit them`);
  }

  /** The loop ends, because each further request omits or replaces at least one parameter of the previous request. */
  return async (
    request: ModelRequest,
    target: OpenAiTarget,
    window: number | null,
    options: CallOptions,
  ): Promise<ModelReply> => {
    const refused = new Set(known);
    for (let output = 0; ; ) {
      const body = chatBody(await withoutRefusedTools(request, refused), target, refused);
      const progress = (characters: number, text?: string, isThinking?: boolean) => {
        output = characters;
        options.onProgress?.(characters, text, isThinking);
      };
      try {
        const response = await sendChecked(streaming(target), '/chat/completions', options.signal, body);
        const reply = await readReply(response, request, target, progress);
        learn(refused, target, options);
        assertWhole(request, reply.tokens?.input || null, window, target);
        return reply;
      } catch (error) {
        const words = output > 0 ? null : refusalOf(error);
        const named = words === null ? [] : refusedBy(words, body, refused);
        if (named.length === 0) throw error;
        for (const name of named) refused.add(name);
      }
    }
  };
}

function unchosen({ display }: OpenAiTarget): RlmError {
  const message = `the project file names the provider or its model, and the text would be sent to ${display}`;
  return new RlmError('config-invalid', message, {
    hint: 'If you want that, name the provider and the model yourself: --provider openai --model NAME (RLM_PROVIDER, RLM_MODEL), or trust the project (trustedProjects).',
  });
}

/** Creates the provider for servers that speak OpenAI's chat API. Throws `config-invalid` for an invalid base URL. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { model, windowTokens = null, refuseRemote = false } = options;
  const found = readOpenAiTarget(options, model ?? 'the model', names);
  const chat = createChat();
  let inspected: ModelInfo | null = null;

  function assertServes(): void {
    assertKey(found);
    if (refuseRemote && !isLocalAddress(found.url)) throw unchosen(found);
  }

  async function inspect(signal: AbortSignal): Promise<ModelInfo> {
    assertServes();
    inspected = await inspectOpenAi(found, { model, windowTokens }, signal);
    return inspected;
  }

  async function targetOf(signal: AbortSignal): Promise<OpenAiTarget> {
    if (model !== null) return found;
    return { ...found, model: (inspected ?? (await inspect(signal))).model };
  }

  return {
    name: 'openai',
    inspect: (signal) => inspecting(found, signal, () => inspect(signal)),
    survey: (signal) =>
      inspecting(found, signal, async () => {
        assertServes();
        return surveyOpenAi(found, model, signal);
      }),
    call: (request, callOptions) =>
      calling(found, callOptions.signal, async () => {
        const target = await targetOf(callOptions.signal);
        const window = inspected?.windowIsAssumed ? null : (inspected?.maxWindowTokens ?? null);
        return chat(request, target, window, callOptions);
      }),
  };
}
