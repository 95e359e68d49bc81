import type { Output } from '../terminal.ts';
import type { Progress } from './progress.ts';

/**
 * Creates the progress display: a live tree when stderr is a terminal, static lines otherwise.
 * @param stdout the terminal that shows the answer while it is generated, below the tree if there is one. Null when
 *   the answer is not shown before it is complete.
 */
export async function createProgress(stderr: Output, stdout: Output | null): Promise<Progress> {
  if (stderr.isTerminal) return (await import('./live/live-tree.ts')).createLiveTree(stderr, stdout !== null);
  const lines = (await import('./progress-lines.ts')).createProgressLines(stderr);
  if (stdout === null) return lines;
  return (await import('./live/live-answer.ts')).withLiveAnswer(lines, stdout, stderr.style);
}
