import type { EventListener, ReadingProgress, Result } from '../../index.ts';

/** Shows the progress of a run until it is closed. */
export interface Progress {
  readonly onEvent: EventListener;
  /** Called with the progress of reading the text. */
  readonly onReading: (progress: ReadingProgress) => void;
  /** Shows a line that is not an event. */
  say(line: string): void;
  /** @param result the result of the run. Null when it has none. */
  close(result: Result | null): void;
}
