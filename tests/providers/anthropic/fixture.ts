import { createAnthropicProvider } from '../../../src/providers/anthropic/provider.ts';
import type { ModelRequest } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import {
  type AnthropicReply,
  type AnthropicServerOptions,
  model,
  startAnthropicServer,
} from '../../servers/anthropic-server.ts';
import { signal, useServer } from '../server-fixture.ts';

export { model } from '../../servers/anthropic-server.ts';

export const key = 'sk-ant-0123456789';

type Reply = AnthropicReply | AnthropicServerOptions['reply'];
type Options = Partial<AnthropicServerOptions>;

/** Creates a simulated server and the Anthropic provider that asks it. */
export function useAnthropic() {
  const used = useServer(startAnthropicServer);

  function start(reply: Reply, options: Options = {}) {
    const make = typeof reply === 'function' ? (reply as AnthropicServerOptions['reply']) : () => reply;
    return used.start({ reply: make, key, ...options });
  }

  async function provider(reply: Reply, options: Options = {}, name = model) {
    const { url } = await start(reply, options);
    return createAnthropicProvider({ baseUrl: url, model: name, apiKey: key });
  }

  async function call(reply: Reply, changes: Partial<ModelRequest> = {}, options: Options = {}) {
    return (await provider(reply, options)).call(answerRequest(changes), { signal });
  }

  return {
    start,
    provider,
    call,
    /** The bodies of the requests for messages. */
    bodies: () => used.server.requests.map(({ body }) => body),
    get server() {
      return used.server;
    },
  };
}
