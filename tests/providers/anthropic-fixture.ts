import { afterEach, beforeEach, expect, vi } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createAnthropicProvider } from '../../src/providers/anthropic.ts';
import type { ModelRequest } from '../../src/providers/provider.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import {
  type AnthropicReply,
  type AnthropicServer,
  type AnthropicServerOptions,
  model,
  startAnthropicServer,
} from '../servers/anthropic-server.ts';

export { model } from '../servers/anthropic-server.ts';

/** A signal that never aborts. */
export const { signal } = new AbortController();

export const key = 'sk-ant-0123456789';

type Reply = AnthropicReply | AnthropicServerOptions['reply'];
type Options = Partial<AnthropicServerOptions>;

async function errorOf(work: Promise<unknown>): Promise<RlmError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RlmError);
  return error as RlmError;
}

/** What the tests of the Anthropic provider share: one server per test, and the check that nothing is printed. */
export function useAnthropic() {
  let server: AnthropicServer | null = null;
  const printed: unknown[][] = [];

  beforeEach(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => printed.push(values));
    }
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await server?.close();
    server = null;
    expect(printed.splice(0)).toEqual([]);
  });

  async function start(reply: Reply, options: Options = {}): Promise<AnthropicServer> {
    await server?.close();
    const make = typeof reply === 'function' ? (reply as AnthropicServerOptions['reply']) : () => reply;
    server = await startAnthropicServer({ reply: make, key, ...options });
    return server;
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
    errorOf,
    /** The bodies of the requests for messages. */
    bodies: () => (server?.requests ?? []).map(({ body }) => body),
    get server(): AnthropicServer {
      if (server === null) throw new Error('no server was started');
      return server;
    },
  };
}
