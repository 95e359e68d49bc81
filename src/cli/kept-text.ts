import { type Context, type ContextOptions, openContext } from '../api/open-context.ts';
import type { AskOptions } from '../assemble/ask-options.ts';
import { withinTime } from '../assemble/within-time.ts';
import { now } from '../base/time.ts';
import type { Configuration } from '../config/layers.ts';
import { RlmError } from '../errors.ts';
import type { RunEvent } from '../run/events.ts';

/** Returns null for an input without text, because a model may read its pictures. Throws other errors. */
function noText(error: unknown): null {
  if (error instanceof RlmError && error.code === 'input-empty') return null;
  throw error;
}

interface Opening extends Omit<ContextOptions, 'paths'> {
  readonly configuration: Configuration;
  readonly signal: AbortSignal;
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
    /** Reads the text within the time limit of a question; the question gets the rest of the time. */
    async options(opening: Opening): Promise<Pick<AskOptions, 'paths' | 'context' | 'usedMs'>> {
      if (paths.length === 0 || isTranscribed === true) return { paths };
      const startMs = now();
      const { settings } = opening.configuration;
      context ??= await withinTime(settings, 0, opening, (timed) => openContext({ ...opening, ...timed, paths })).catch(
        noText,
      );
      if (context === null || (isTranscribed === null && context.unreadPages > 0)) return { paths };
      return { context, usedMs: now() - startMs };
    },
    /** Notes whether a model reads pages. If so, the first stage of a question is `transcription`. */
    onEvent(event: RunEvent): void {
      if (event.type === 'stage.started') isTranscribed ??= event.stage === 'transcription';
    },
    close: async () => context?.close(),
  };
}

export type KeptText = ReturnType<typeof createKeptText>;
