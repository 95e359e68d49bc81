import { type AskOptions, type Configuration, type Context, openContext } from '../../../index.ts';

/** Opens each text once, even for several questions. */
export function createOpenedTexts(configuration: Configuration, signal: AbortSignal) {
  const opened = new Map<string, Promise<Context>>();
  return {
    /** Returns the text options for `ask`. Rejects like `openContext`, also on later calls with the same paths. */
    async of(paths: readonly string[]): Promise<Pick<AskOptions, 'paths' | 'context'>> {
      if (paths.length === 0) return { paths };
      const key = JSON.stringify(paths);
      const context = opened.get(key) ?? openContext({ paths, configuration, signal });
      opened.set(key, context);
      return { context: await context };
    },
    async close(): Promise<void> {
      for (const context of opened.values()) await context.then((one) => one.close()).catch(() => {});
    },
  };
}

export type OpenedTexts = ReturnType<typeof createOpenedTexts>;
