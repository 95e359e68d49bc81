import { createOllamaProvider } from '../../../src/providers/ollama/provider.ts';
import type { ModelRequest } from '../../../src/providers/provider.ts';
import { answerRequest } from '../../contracts/sample-requests.ts';
import { type OllamaServerOptions, type ServerReply, startOllamaServer } from '../../servers/ollama-server.ts';
import { signal, useServer } from '../server-fixture.ts';

export const model = 'qwen2.5-coder:14b';

type Reply = ServerReply | OllamaServerOptions['reply'];
type Options = Partial<OllamaServerOptions>;

/** Creates a simulated server and the Ollama provider that asks it. */
export function useOllama() {
  const used = useServer(startOllamaServer);

  function start(reply: Reply, options: Options = {}) {
    const make = typeof reply === 'function' ? (reply as OllamaServerOptions['reply']) : () => reply;
    return used.start({ reply: make, ...options });
  }

  async function provider(reply: Reply, options: Options = {}, name = model) {
    return createOllamaProvider({ host: (await start(reply, options)).url, model: name });
  }

  async function call(reply: Reply, changes: Partial<ModelRequest> = {}, options: Options = {}) {
    return (await provider(reply, options)).call(answerRequest(changes), { signal });
  }

  return {
    start,
    provider,
    call,
    get server() {
      return used.server;
    },
  };
}
