/** What went wrong in a block without stopping it, such as a quote that does not stand in the text. */

const most = 20;
const longest = 400;
let found: string[] = [];
let count = 0;

/** Adds a problem, which the model is told at the end of the block. */
export function tell(problem: string): void {
  count += 1;
  if (found.length < most) found.push(problem.length > longest ? `${problem.slice(0, longest)}…` : problem);
}

/** Returns the problems of the block, a line each, and forgets them; empty where there are none. */
export function problems(): string {
  const all = count > found.length ? [...found, `… and ${count - found.length} more`] : found;
  found = [];
  count = 0;
  return all.join('\n');
}
