import type { PromptName } from '../../src/prompts/index.ts';
import type { ChatCall, ServerReply } from './ollama-server.ts';

/** For each prompt, a property that only its replies have. */
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

/** For each prompt whose replies have no form, words that only this prompt contains. */
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

/** Returns the prompt of a request, by the properties of its `format`, else by its words; null if unknown. */
export function promptOf({ format, messages = [], body }: Called): PromptName | null {
  const names = Object.keys(format === null ? ownWords : telltale) as PromptName[];
  if (format === null) {
    const words = JSON.stringify([body, messages]);
    return names.find((name) => ownWords[name]!.test(words)) ?? null;
  }
  const properties = 'properties' in format ? (format.properties as object) : {};
  return names.find((name) => telltale[name]! in properties) ?? null;
}

/** Only one prompt offers native tools. */
const offersTools = ({ body }: Called): boolean => Array.isArray(body?.['tools']) && body['tools'].length > 0;

/** Prompts whose replies have the form of replies to `answer`. */
const isAnswer = (prompt: PromptName) => prompt === 'conclude';

/** Replies of a small model in tests about something else. */
const usual: Partial<Record<PromptName, ServerReply>> = { answerable: 'YES' };

/** Creates a reply function from one handler per prompt. `index` counts a prompt's calls. Other prompts get 500. */
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
