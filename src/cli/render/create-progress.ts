import type { Output } from '../terminal.ts';
import type { Progress } from './progress.ts';

/**
 * A live tree on a terminal, static lines elsewhere.
 * @param showsAnswer whether the tree shows the words of the answer as they come.
 */
export async function createProgress(stderr: Output, showsAnswer: boolean): Promise<Progress> {
  if (stderr.isTerminal) return (await import('./live/live-tree.ts')).createLiveTree(stderr, showsAnswer);
  return (await import('./progress-lines.ts')).createProgressLines(stderr);
}
