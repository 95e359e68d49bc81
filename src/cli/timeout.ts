/** `--timeout` of commands that read text and ask no model; default: no limit. */

import { now } from '../base/clock.ts';
import { type ReadingProgress, type Settings, withinTime } from '../index.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { settingOptions } from './setting-flags.ts';

export const timeoutOptions: readonly OptionSpec[] = settingOptions((key) => key === 'budget.timeout').map(
  (option) => ({
    ...option,
    about: 'time for all of it, in seconds, from the start of the process; default: no limit',
  }),
);

/** The signal and the listener that the command must use. */
export interface Limited {
  readonly signal: AbortSignal;
  readonly onReading: (progress: ReadingProgress) => void;
}

/**
 * Does work within the time limit, if one is given.
 * @throws RlmError `limit-time` naming what was read; what `work` throws.
 */
export function withinTimeout<T>(
  options: Invocation['options'],
  settings: Settings,
  given: { readonly signal: AbortSignal; readonly onReading?: Limited['onReading'] },
  work: (limited: Limited) => Promise<T>,
): Promise<T> {
  const { signal, onReading = () => {} } = given;
  if (options['timeout'] === undefined) return work({ signal, onReading });
  return withinTime(settings, now(), { signal, onReading }, work);
}
