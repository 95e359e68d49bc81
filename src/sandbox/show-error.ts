import type { SandboxLimits } from './limits.ts';

const longestMessage = 2_000;

/** Returns the line of the code where something was thrown: the innermost line that belongs to the code. */
function lineIn(stack: string): number | null {
  const found = /turn-\d+\.js:(\d+)/.exec(stack);
  return found === null ? null : Number(found[1]);
}

/** Whether the state that the code left would keep further code from running. */
export const leavesNoRoom = (thrown: string): boolean =>
  /^(?:InternalError: )?(?:out of memory|endless jobs)/.test(thrown);

const explanations: readonly [RegExp, (limits: SandboxLimits) => string][] = [
  [
    /^InternalError: interrupted/,
    ({ turnMs }) =>
      `the code was stopped after ${turnMs / 1000} s. Variables that it had set by then are kept. Do less at once.`,
  ],
  [
    /^(?:InternalError: )?out of memory/,
    ({ memoryMb }) =>
      `out of memory: all values together may take ${memoryMb} MB. Keep parts of the text, not copies of all of it.`,
  ],
  [/^InternalError: endless jobs/, () => 'the code was stopped: its promises go on without an end.'],
  [
    /^(?:InternalError|RangeError): (?:stack overflow|Maximum call stack)/,
    () => 'stack overflow: a function calls itself without an end.',
  ],
];

/**
 * Words an error of the code for its model.
 * @param thrown name and message, and on lines of their own where it was thrown.
 */
export function showError(thrown: string, code: string, limits: SandboxLimits): string {
  const stackAt = thrown.search(/\n\s+at /);
  const said = (stackAt < 0 ? thrown : thrown.slice(0, stackAt)).trim().slice(0, longestMessage);
  const known = explanations.find(([pattern]) => pattern.test(said));
  const line = lineIn(stackAt < 0 ? '' : thrown.slice(stackAt));
  const source = line === null ? '' : (code.split('\n')[line - 1] ?? '').trim().slice(0, 200);
  const place = line === null ? '' : `\n  in line ${line}: ${source}`;
  return `${known ? known[1](limits) : said}${place}`;
}
