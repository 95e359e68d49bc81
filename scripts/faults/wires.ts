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

export const wires: readonly Wire[] = [ollama];
