import { afterEach, beforeEach, expect, vi } from 'vitest';

/** A signal that never aborts. */
export const { signal } = new AbortController();

/**
 * The common parts of tests of a provider with a server: one server at a time, and the check that nothing is printed.
 */
export function useServer<Options, Server extends { close(): Promise<void> }>(
  startServer: (options: Options) => Promise<Server>,
) {
  let server: Server | null = null;
  const printed: unknown[][] = [];

  beforeEach(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => void printed.push(values));
    }
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await server?.close();
    server = null;
    expect(printed.splice(0)).toEqual([]);
  });

  return {
    /** Closes the previous server, if there is one. */
    async start(options: Options): Promise<Server> {
      await server?.close();
      server = await startServer(options);
      return server;
    },
    get server(): Server {
      if (server === null) throw new Error('no server was started');
      return server;
    },
  };
}
