import { cutText } from '../../base/text.ts';

/** Collects problems that do not stop a block of code, such as a quote that the text does not contain. */

const most = 20;
const longest = 400;
let found: string[] = [];
let count = 0;

/** Adds a problem. The model reads it at the end of the block. */
export function tell(problem: string): void {
  count += 1;
  if (found.length < most) found.push(cutText(problem, longest));
}

/** Returns the problems of the block, one a line, and clears them; empty if there are none. */
export function problems(): string {
  const all = count > found.length ? [...found, `… and ${count - found.length} more`] : found;
  found = [];
  count = 0;
  return all.join('\n');
}
