import type { Output } from '../terminal.ts';
import { createLiveTree } from './live-tree.ts';
import type { Progress } from './progress.ts';
import { createProgressLines } from './progress-lines.ts';

/** A live tree on a terminal, static lines elsewhere. */
export function createProgress(stderr: Output): Progress {
  return stderr.isTerminal ? createLiveTree(stderr) : createProgressLines(stderr);
}
