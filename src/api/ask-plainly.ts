import type { AskOptions } from '../assemble/ask-options.ts';
import type { Result } from '../result.ts';
import { askBy } from './ask.ts';
import type { PlainReading } from './plain-call.ts';

/** The options of `askPlainly`. */
export interface PlainOptions extends Omit<AskOptions, 'resumable'> {
  /**
   * `all` (default): all of the text, cut in the middle where it does not fit, which a warning says. `passages`: the
   * `context.passages` passages that suit the question best, also where more would fit.
   */
  readonly reads?: PlainReading;
}

/**
 * Asks a question by one plain call: no plan, no citations, no confidence. It is the baseline that `ask` is compared
 * with. Settings, limits, recordings and failures are those of `ask`.
 * @throws RlmError as `ask` does.
 */
export function askPlainly(question: string, { reads = 'all', ...options }: PlainOptions = {}): Promise<Result> {
  return askBy(question, options, async (state, run) => {
    const { callPlainly } = await import('./plain-call.ts');
    return callPlainly(state, run, reads);
  });
}
