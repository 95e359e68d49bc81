import type { Output } from '../terminal.ts';
import type { Progress } from './progress.ts';

/**
 * A live tree on a terminal, static lines elsewhere.
 * @param stdout the terminal that shows the words of the answer as they come: below the tree, or by themselves where
 *   stderr goes elsewhere; null: they are not shown.
 */
export async function createProgress(stderr: Output, stdout: Output | null): Promise<Progress> {
  if (stderr.isTerminal) return (await import('./live/live-tree.ts')).createLiveTree(stderr, stdout !== null);
  const lines = (await import('./progress-lines.ts')).createProgressLines(stderr);
  if (stdout === null) return lines;
  return (await import('./live/live-answer.ts')).withLiveAnswer(lines, stdout, stderr.style);
}
