import type { PromptName } from '../../src/prompts/index.ts';
import type { ChatCall, ServerReply } from './ollama-server.ts';

/** A property that only this prompt's replies have. */
const telltale: Partial<Record<PromptName, string>> = {
  explore: 'actions',
  planner: 'keyQuestions',
  assess: 'verdict',
  decompose: 'subQuestions',
  answer: 'answer',
  compose: 'finalAnswer',
  scan: 'findings',
  critic: 'confidenceScore',
};

/** Words that only this prompt has, of those whose replies have no form. */
const ownWords: Partial<Record<PromptName, RegExp>> = {
  answer: /Answer the question from these passages, and from nothing else where/,
  answerable: /Do these passages hold the answer/,
  hop: /Write one to three short searches for what is missing/,
  conclude: /from what an exploration of the text has found/,
  form: /Put the answer to the question into a form/,
  compose: /You write one answer from the answers to its parts/,
  repl: /with JavaScript/,
  query: /You do what the message asks/,
  transcribe: /Write down the text of this picture/,
};

type Handler<C> = ServerReply | ((request: C, index: number) => ServerReply | Promise<ServerReply>);

interface Called {
  readonly format: object | null;
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Which prompt a request is, going by the properties of its `format` or else by its words; null when it is none. */
export function promptOf({ format, messages = [], body }: Called): PromptName | null {
  const names = Object.keys(format === null ? ownWords : telltale) as PromptName[];
  if (format === null) {
    const words = JSON.stringify([body, messages]);
    return names.find((name) => ownWords[name]!.test(words)) ?? null;
  }
  const properties = 'properties' in format ? (format.properties as object) : {};
  return names.find((name) => telltale[name]! in properties) ?? null;
}

/** Only one prompt offers tools in the server's own way. */
const offersTools = ({ body }: Called): boolean => Array.isArray(body?.['tools']) && body['tools'].length > 0;

/** Their replies are like those to the prompt answer. */
const isAnswer = (prompt: PromptName) => prompt === 'conclude';

/** What a small model says where a test is about something else. */
const usual: Partial<Record<PromptName, ServerReply>> = { answerable: 'YES' };

/** A reply function from one handler per prompt; `index` counts a prompt's own calls. Others are answered with 500. */
export function replyByFormat<C extends Called = ChatCall>(
  handlers: {
    readonly [N in PromptName]?: Handler<C>;
  },
) {
  const counts = new Map<PromptName, number>();
  return async (request: C): Promise<ServerReply> => {
    const prompt = offersTools(request) ? 'explore' : promptOf(request);
    const handler =
      prompt === null ? undefined : (handlers[prompt] ?? (isAnswer(prompt) ? handlers.answer : usual[prompt]));
    if (prompt === null || handler === undefined)
      throw new Error(`the test has no reply for ${prompt ?? 'this format'}`);
    const index = counts.get(prompt) ?? 0;
    counts.set(prompt, index + 1);
    return typeof handler === 'function' ? handler(request, index) : handler;
  };
}
