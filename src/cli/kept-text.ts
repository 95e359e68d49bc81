import { type Context, type ContextOptions, openContext } from '../api/open-context.ts';
import type { AskOptions } from '../assemble/ask-options.ts';
import { RlmError } from '../errors.ts';
import type { RunEvent } from '../run/events.ts';

/** Returns null for an input without text: it may be pictures, which a model reads later. Throws other errors. */
function noText(error: unknown): null {
  if (error instanceof RlmError && error.code === 'input-empty') return null;
  throw error;
}

/**
 * Creates the text of several questions, which is read once. If a model reads pages of it, each question reads the
 * paths again, and what the model transcribed comes from the cache.
 * @param paths the files; empty when there is no text.
 */
export function createKeptText(paths: readonly string[]) {
  let context: Context | null = null;
  /** Whether a model reads pages of the text. Null until the first question shows it. */
  let isSeen: boolean | null = null;
  return {
    async options(opening: Omit<ContextOptions, 'paths'>): Promise<Pick<AskOptions, 'paths' | 'context'>> {
      if (paths.length === 0 || isSeen === true) return { paths };
      context ??= await openContext({ ...opening, paths }).catch(noText);
      if (context === null || (isSeen === null && context.unreadPages > 0)) return { paths };
      return { context };
    },
    /** Takes the events of the questions. The first stage of a question shows whether a model reads pages. */
    onEvent(event: RunEvent): void {
      if (event.type === 'stage.started') isSeen ??= event.stage === 'transcription';
    },
    close: async () => context?.close(),
  };
}

export type KeptText = ReturnType<typeof createKeptText>;
