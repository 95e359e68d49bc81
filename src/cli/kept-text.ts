import { type Context, type ContextOptions, openContext } from '../api/open-context.ts';
import type { AskOptions } from '../assemble/ask-options.ts';
import { RlmError } from '../errors.ts';
import type { RunEvent } from '../run/events.ts';

/** Returns null for an input without text, because a model may read its pictures. Throws other errors. */
function noText(error: unknown): null {
  if (error instanceof RlmError && error.code === 'input-empty') return null;
  throw error;
}

/**
 * Keeps a text for several questions, so that it is read once. If a model reads pages of the text, each question
 * reads the paths again.
 */
export function createKeptText(paths: readonly string[]) {
  let context: Context | null = null;
  /** Whether a model reads pages of the text; null before the first stage. */
  let isTranscribed: boolean | null = null;
  return {
    async options(opening: Omit<ContextOptions, 'paths'>): Promise<Pick<AskOptions, 'paths' | 'context'>> {
      if (paths.length === 0 || isTranscribed === true) return { paths };
      context ??= await openContext({ ...opening, paths }).catch(noText);
      if (context === null || (isTranscribed === null && context.unreadPages > 0)) return { paths };
      return { context };
    },
    /** Notes whether a model reads pages. If so, the first stage of a question is `transcription`. */
    onEvent(event: RunEvent): void {
      if (event.type === 'stage.started') isTranscribed ??= event.stage === 'transcription';
    },
    close: async () => context?.close(),
  };
}

export type KeptText = ReturnType<typeof createKeptText>;
