import type { EventListener, ReadingProgress, Result } from '../../index.ts';

/** Shows what a run is doing, until it is closed. */
export interface Progress {
  readonly onEvent: EventListener;
  /** Told how far reading the text has come. */
  readonly onReading: (progress: ReadingProgress) => void;
  /** Says a line that is no event. */
  say(line: string): void;
  /** @param result what the run came to; null: nothing. */
  close(result: Result | null): void;
}
