import type { PromptName } from '../../src/prompts/index.ts';
import type { ChatCall, ServerReply } from './ollama-server.ts';

/** A property that only this prompt's replies have. */
const telltale: Record<PromptName, string> = {
  search: 'searches',
  explore: 'actions',
  // Its replies are like those to the prompt answer, which has no findings to show.
  conclude: 'conclusion',
  // So are those to this one.
  revise: 'revision',
  // Code is asked for in no format.
  repl: 'code',
  query: 'reply',
  planner: 'keyQuestions',
  assess: 'verdict',
  decompose: 'subQuestions',
  answer: 'answer',
  scan: 'findings',
  compose: 'finalAnswer',
  critic: 'confidenceScore',
  rerank: 'ranking',
};

/** Which prompt a request is, going by the properties of its `format`; null when it is none, or has no format. */
export function promptOf(format: object | null): PromptName | null {
  const properties = format !== null && 'properties' in format ? (format.properties as object) : {};
  const names = Object.keys(telltale) as PromptName[];
  return names.find((name) => telltale[name] in properties) ?? null;
}

type Handler<C> = ServerReply | ((request: C, index: number) => ServerReply | Promise<ServerReply>);

interface Called {
  readonly format: object | null;
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Only one prompt offers tools in the server's own way. */
const offersTools = ({ body }: Called): boolean => Array.isArray(body?.['tools']) && body['tools'].length > 0;

/** What a request without a format is, in a test that has replies for it: for code, or a sub-query of that. */
function plainPrompt({ messages = [] }: Called, handlers: { readonly repl?: unknown }): PromptName | null {
  if (handlers.repl === undefined) return null;
  return /with JavaScript/.test(String(messages[0]?.content ?? '')) ? 'repl' : 'query';
}

/** A reply function from one handler per prompt; `index` counts a prompt's own calls. Others are answered with 500. */
export function replyByFormat<C extends Called = ChatCall>(
  handlers: {
    readonly [N in PromptName]?: Handler<C>;
  },
) {
  const counts = new Map<PromptName, number>();
  return async (request: C): Promise<ServerReply> => {
    const prompt = offersTools(request)
      ? 'explore'
      : request.format === null
        ? plainPrompt(request, handlers)
        : promptOf(request.format);
    const handler = prompt === null ? undefined : handlers[prompt];
    if (prompt === null || handler === undefined)
      throw new Error(`the test has no reply for ${prompt ?? 'this format'}`);
    const index = counts.get(prompt) ?? 0;
    counts.set(prompt, index + 1);
    return typeof handler === 'function' ? handler(request, index) : handler;
  };
}
