/** The frames of a reply in each protocol, so that faults can be placed between and within frames. */

/** The server side of a protocol. */
export interface Wire {
  readonly name: 'ollama' | 'openai' | 'anthropic';
  /** Returns settings and environment that make rlm ask the server at an address. */
  configure(url: string): { readonly settings: Record<string, unknown>; readonly env: Record<string, string> };
  /** Returns the reply to a request that is not a chat request; null without one. */
  about(path: string): object | null;
  isChat(path: string): boolean;
  readonly contentType: string;
  /** Returns the frames of a reply's text, without those that end it. */
  begin(text: string): readonly string[];
  /** The frames that end a reply properly. */
  readonly end: readonly string[];
  /** An error in place of a frame. */
  errorFrame(message: string): string;
  /** Returns the body of a response with an error status. */
  errorBody(status: number, message: string): string;
}

const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,40}/gu) ?? [];
const line = (value: object): string => `${JSON.stringify(value)}\n`;
const model = 'served';

const ollama: Wire = {
  name: 'ollama',
  configure: (url) => ({ settings: { provider: 'ollama', model, ollama: { host: url } }, env: {} }),
  about: (path) =>
    path.endsWith('/api/show')
      ? {
          modelfile: 'FROM x',
          model_info: { 'general.architecture': 'a', 'a.context_length': 8192 },
          capabilities: ['completion'],
        }
      : { models: [{ name: model, context_length: 8192 }] },
  isChat: (path) => path.endsWith('/api/chat'),
  contentType: 'application/x-ndjson',
  begin: (text) =>
    piecesOf(text).map((content) => line({ model, message: { role: 'assistant', content }, done: false })),
  end: [
    line({
      model,
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 900,
      eval_count: 40,
    }),
  ],
  errorFrame: (error) => line({ error }),
  errorBody: (_, error) => JSON.stringify({ error }),
};

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, reason: string | null = null) =>
  data({ id: 'c', object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason: reason }] });

const openai: Wire = {
  name: 'openai',
  configure: (url) => ({ settings: { provider: 'openai', model, openai: { baseUrl: `${url}/v1` } }, env: {} }),
  about: (path) =>
    path.endsWith('/models') ? { object: 'list', data: [{ id: model, object: 'model', max_model_len: 8192 }] } : null,
  isChat: (path) => path.endsWith('/chat/completions'),
  contentType: 'text/event-stream',
  begin: (text) => [chunk({ role: 'assistant', content: '' }), ...piecesOf(text).map((content) => chunk({ content }))],
  end: [chunk({}, 'stop'), 'data: [DONE]\n\n'],
  errorFrame: (message) => data({ error: { message, type: 'server_error' } }),
  errorBody: (_, message) => JSON.stringify({ error: { message, type: 'error' } }),
};

const event = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
};
const delta = (text: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as never);
const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'overloaded_error',
};

const anthropic: Wire = {
  name: 'anthropic',
  configure: (url) => ({
    settings: { provider: 'anthropic', model, anthropic: { baseUrl: url } },
    env: { ANTHROPIC_API_KEY: 'sk-ant-none' },
  }),
  about: (path) =>
    path.includes('/v1/models')
      ? { type: 'model', id: model, display_name: model, max_input_tokens: 8192, created_at: '2026-01-01T00:00:00Z' }
      : null,
  isChat: (path) => path.endsWith('/v1/messages'),
  contentType: 'text/event-stream; charset=utf-8',
  begin: (text) => [
    event({ type: 'message_start', message: { ...message, usage: { input_tokens: 900, output_tokens: 1 } } } as never),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never),
    ...piecesOf(text).map(delta),
  ],
  end: [
    event({ type: 'content_block_stop', index: 0 } as never),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 40 },
    } as never),
    event({ type: 'message_stop' }),
  ],
  errorFrame: (text) => event({ type: 'error', error: { type: 'api_error', message: text } } as never),
  errorBody: (status, text) =>
    JSON.stringify({ type: 'error', error: { type: errorTypes[status] ?? 'invalid_request_error', message: text } }),
};

export const wires: readonly Wire[] = [ollama, openai, anthropic];
