import { duration } from '../base/duration.ts';
import { shortAnswerTokens } from '../run/door/serving/pace.ts';
import type { Run } from '../run/run.ts';

/**
 * Whether there is time for something, as far as the model's speed is known. Warns where there is not.
 * @param what it is, as the warning names it.
 * @param calls that it takes, each of so many tokens of input, with a short answer.
 */
export function isInTime(what: string, calls: number, inputTokens: number, run: Run): boolean {
  const needed = run.models.msFor('answer', '0', { input: calls * inputTokens, output: calls * shortAnswerTokens });
  const left = run.budget.timeLeftMs('ordinary');
  if (needed === null || needed <= left) return true;
  run.events.warn(
    `${what}: left out, as it takes about ${duration(needed)}, and ${duration(left)} are left (--timeout)`,
  );
  return false;
}
