import type { EventListener, ReadingProgress } from '../../index.ts';
import type { Output } from '../terminal.ts';
import { createLiveTree } from './live-tree.ts';
import { createProgressLines } from './progress-lines.ts';

/** Shows what a run is doing, until it is closed. */
export interface Progress {
  readonly onEvent: EventListener;
  /** Told how far reading the text has come. */
  readonly onReading: (progress: ReadingProgress) => void;
  /** Says a line that is no event. */
  say(line: string): void;
  close(): void;
}

/** A live tree on a terminal, static lines elsewhere. */
export function createProgress(stderr: Output): Progress {
  return stderr.isTerminal ? createLiveTree(stderr) : createProgressLines(stderr);
}
