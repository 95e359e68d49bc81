import { duration } from '../base/text.ts';
import { shortAnswerTokens } from '../run/door/pace.ts';
import type { Run } from '../run/run.ts';

/** Whether there is time for `calls` of `inputTokens` each, as far as the speed is known. Warns where there is not. */
export function isInTime(what: string, calls: number, inputTokens: number, run: Run): boolean {
  const needed = run.models.msFor('answer', '0', { input: calls * inputTokens, output: calls * shortAnswerTokens });
  const left = run.budget.timeLeftMs('ordinary');
  if (needed === null || needed <= left) return true;
  run.events.warn(
    `${what}: left out, because it takes about ${duration(needed)} and ${duration(left)} are left (--timeout)`,
  );
  return false;
}
