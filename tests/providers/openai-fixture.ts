import { afterEach, beforeEach, expect, vi } from 'vitest';
import { RlmError } from '../../src/errors.ts';
import { createOpenAiProvider, type OpenAiOptions } from '../../src/providers/openai.ts';
import type { ModelRequest } from '../../src/providers/provider.ts';
import { answerRequest } from '../contracts/sample-requests.ts';
import { type OpenAiServerOptions, startOpenAiServer } from '../servers/openai-server.ts';

export const model = 'local-model';

/** A signal that never aborts. */
export const { signal } = new AbortController();

type Server = Awaited<ReturnType<typeof startOpenAiServer>>;
type Chat = NonNullable<OpenAiServerOptions['chat']>;
type Reply = Awaited<ReturnType<Chat>> | Chat;

/** The error that work ends with. */
export async function errorOf(work: Promise<unknown>): Promise<RlmError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RlmError);
  return error as RlmError;
}

/** What the tests of the OpenAI provider share: one server per test, and the check that nothing is printed. */
export function useOpenAi() {
  let server: Server | null = null;
  const printed: unknown[] = [];

  beforeEach(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => void printed.push(values));
    }
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await server?.close();
    server = null;
    expect(printed.splice(0)).toEqual([]);
  });

  async function provider(
    reply: Reply,
    options: Partial<OpenAiServerOptions> = {},
    changes: Partial<OpenAiOptions> = {},
  ) {
    await server?.close();
    const chat = typeof reply === 'function' ? (reply as Chat) : () => reply;
    server = await startOpenAiServer({ chat, ...options });
    return createOpenAiProvider({ baseUrl: server.url, apiKey: null, model, ...changes });
  }

  return {
    provider,
    async call(reply: Reply, changes: Partial<ModelRequest> = {}, options: Partial<OpenAiServerOptions> = {}) {
      return (await provider(reply, options)).call(answerRequest(changes), { signal });
    },
    get server(): Server {
      if (server === null) throw new Error('no server was started');
      return server;
    },
    /** The bodies of the chat requests so far. */
    bodies: (): Readonly<Record<string, unknown>>[] => (server?.chats ?? []).map(({ body }) => body),
  };
}
