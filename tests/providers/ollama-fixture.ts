import { afterEach, beforeEach, expect, vi } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createOllamaProvider } from '../../src/providers/ollama.ts';
import type { ModelRequest } from '../../src/providers/provider.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import {
  type OllamaServer,
  type OllamaServerOptions,
  type ServerReply,
  startOllamaServer,
} from '../servers/ollama-server.ts';

export const model = 'qwen2.5-coder:14b';

/** A signal that never aborts. */
export const { signal } = new AbortController();

type Reply = ServerReply | OllamaServerOptions['reply'];
type Options = Partial<OllamaServerOptions>;

async function errorOf(work: Promise<unknown>): Promise<RlmError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RlmError);
  return error as RlmError;
}

/** What the tests of the Ollama provider share: one server per test, and the check that nothing is printed. */
export function useOllama() {
  let server: OllamaServer | null = null;
  const printed: unknown[][] = [];

  beforeEach(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => printed.push(values));
    }
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await server?.close();
    server = null;
    expect(printed.splice(0)).toEqual([]);
  });

  async function start(reply: Reply, options: Options = {}): Promise<OllamaServer> {
    await server?.close();
    const make = typeof reply === 'function' ? (reply as OllamaServerOptions['reply']) : () => reply;
    server = await startOllamaServer({ reply: make, ...options });
    return server;
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
    errorOf,
    get server(): OllamaServer {
      if (server === null) throw new Error('no server was started');
      return server;
    },
  };
}
