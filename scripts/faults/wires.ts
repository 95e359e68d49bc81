/** How a reply goes over the wire in each protocol, frame by frame, so that faults can strike between and within frames. */

/** One protocol as its servers speak it. */
export interface Wire {
  readonly name: 'ollama' | 'openai' | 'anthropic';
  /** Settings and environment that make rlm ask a server at that address. */
  configure(url: string): { readonly settings: Record<string, unknown>; readonly env: Record<string, string> };
  /** The reply to a request that is not for a chat; null where there is none. */
  about(path: string): object | null;
  isChat(path: string): boolean;
  readonly contentType: string;
  /** The frames of a reply's text, without those that end it. */
  begin(text: string): readonly string[];
  /** The frames that end it in good order. */
  readonly end: readonly string[];
  /** An error that comes instead of a frame. */
  errorFrame(message: string): string;
  /** The body of a response with that status. */
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

const event = (data: { readonly type: string; readonly [more: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
/** With a status that says more, its type does not count. */
const anthropicError = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });

const anthropic: Wire = {
  name: 'anthropic',
  configure: (url) => ({ settings: { provider: 'anthropic', model, anthropic: { baseUrl: url } }, env: {} }),
  about: (path) =>
    path.endsWith(`/v1/models/${model}`) ? { type: 'model', id: model, max_input_tokens: 200_000 } : null,
  isChat: (path) => path.endsWith('/v1/messages'),
  contentType: 'text/event-stream',
  begin: (text) => [
    event({ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...piecesOf(text).map((piece) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
    ),
  ],
  end: [
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 40 } }),
    event({ type: 'message_stop' }),
  ],
  errorFrame: (message) => event(anthropicError(message)),
  errorBody: (_, message) => JSON.stringify(anthropicError(message)),
};

export const wires: readonly Wire[] = [ollama, anthropic];
