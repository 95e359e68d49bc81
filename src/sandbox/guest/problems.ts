import { cutText } from '../../base/text.ts';

const most = 20;
const longest = 400;
let found: string[] = [];
let count = 0;

/** Adds a problem that does not stop the code. The model reads it at the end of the block. */
export function tell(problem: string): void {
  count += 1;
  if (found.length < most) found.push(cutText(problem, longest));
}

/** Returns the problems, one per line, and clears them. */
export function problems(): string {
  const all = count > found.length ? [...found, `… and ${count - found.length} more`] : found;
  found = [];
  count = 0;
  return all.join('\n');
}
