import type { EventListener } from '../../index.ts';
import type { Output } from '../terminal.ts';
import { createLiveTree } from './live-tree.ts';
import { createProgressLines } from './progress-lines.ts';

/** Shows what a run is doing, until it is closed. */
export interface Progress {
  readonly onEvent: EventListener;
  close(): void;
}

/** A live tree on a terminal, static lines elsewhere. */
export function createProgress(stderr: Output, options: { readonly live: boolean }): Progress {
  return stderr.isTerminal && options.live ? createLiveTree(stderr) : createProgressLines(stderr);
}
