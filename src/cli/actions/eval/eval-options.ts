/** Options that the actions of `rlm eval` share. */
import { RlmError } from '../../../errors.ts';
import type { Invocation } from '../../command.ts';
import { settingFlags } from '../../setting-flags.ts';

/** Splits a comma-separated list. */
export const listOf = (value: unknown): string[] =>
  String(value)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Returns an option that is a number, 0 or more. Null when it is not given. Throws RlmError `usage`. */
export function amountOf(options: Invocation['options'], name: string, flag: string): number | null {
  const given = options[name];
  if (given === undefined) return null;
  const amount = Number(given);
  if (String(given).trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new RlmError('usage', `${flag} cannot be "${given}"`, { hint: 'Give a number, 0 or more.' });
}

/** Returns an option that is text. Null when it is not given. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Converts the options of a command to those of an evaluation. Limits apply to the whole evaluation. */
export function evaluationOptions({ args, options }: Pick<Invocation, 'args' | 'options'>) {
  const { maxCost: _c, maxTokens: _t, maxCalls: _n, ...settings } = options;
  return {
    paths: (args[1] as string[] | undefined) ?? [],
    flags: settingFlags(settings),
    limits: {
      calls: amountOf(options, 'maxCalls', '--max-calls'),
      tokens: amountOf(options, 'maxTokens', '--max-tokens'),
      usd: amountOf(options, 'maxCost', '--max-cost'),
    },
    resume: options['resume'] === true,
    judge: textOf(options['judge']),
    record: textOf(options['record']),
    replay: textOf(options['replay']),
  };
}
