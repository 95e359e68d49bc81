import { duration } from '../base/text.ts';
import { shortAnswerTokens } from '../run/door/pace.ts';
import type { Run } from '../run/run.ts';

/**
 * Whether there is time for calls, as far as the model's speed is known. Warns where there is not.
 * @param what the name of the work in the warning.
 * @param calls calls of `inputTokens` each, with a short answer.
 */
export function isInTime(what: string, calls: number, inputTokens: number, run: Run): boolean {
  const needed = run.models.msFor('answer', '0', { input: calls * inputTokens, output: calls * shortAnswerTokens });
  const left = run.budget.timeLeftMs('ordinary');
  if (needed === null || needed <= left) return true;
  run.events.warn(
    `${what}: left out, because it takes about ${duration(needed)} and ${duration(left)} are left (--timeout)`,
  );
  return false;
}
