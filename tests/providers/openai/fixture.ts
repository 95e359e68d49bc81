import { createOpenAiProvider, type OpenAiOptions } from '../../../src/providers/openai/provider.ts';
import type { ModelRequest } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../../servers/openai-server.ts';
import { signal, useServer } from '../server-fixture.ts';

export const model = 'local-model';

type Chat = NonNullable<OpenAiServerOptions['chat']>;
type Reply = Awaited<ReturnType<Chat>> | Chat;
type Options = Partial<OpenAiServerOptions>;

/** Creates a simulated server and the OpenAI provider that asks it. */
export function useOpenAi() {
  const used = useServer(startOpenAiServer);

  async function provider(reply: Reply, options: Options = {}, changes: Partial<OpenAiOptions> = {}) {
    const chat = typeof reply === 'function' ? (reply as Chat) : () => reply;
    const { url } = await used.start({ chat, ...options });
    return createOpenAiProvider({ baseUrl: url, apiKey: null, model, ...changes });
  }

  return {
    provider,
    async call(reply: Reply, changes: Partial<ModelRequest> = {}, options: Options = {}) {
      return (await provider(reply, options)).call(answerRequest(changes), { signal });
    },
    /** The bodies of the chat requests so far. */
    bodies: (): Readonly<Record<string, unknown>>[] => used.server.chats.map(({ body }) => body),
    get server() {
      return used.server;
    },
  };
}
