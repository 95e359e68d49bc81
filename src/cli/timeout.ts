/** `--timeout` of commands that read text without a model. By default they have no limit. */

import { now } from '../base/clock.ts';
import { type ReadingProgress, type Settings, withinTime } from '../index.ts';
import type { Invocation, OptionSpec } from './command.ts';
import { settingOptions } from './setting-flags.ts';

export const timeoutOptions: readonly OptionSpec[] = settingOptions((key) => key === 'budget.timeout').map(
  (option) => ({
    ...option,
    about: 'time limit in seconds, from the start of the process; default: no limit',
  }),
);

/** The signal and the listener that limited work must use. */
export interface Limited {
  readonly signal: AbortSignal;
  readonly onReading: (progress: ReadingProgress) => void;
}

/**
 * Runs work within the time limit, if one is given.
 * @throws RlmError `limit-time`, which names what was read; the error that `work` throws.
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
