import type { Settings } from '../../config/settings.ts';
import { RlmError } from '../../errors.ts';
import { makerOf } from './providers.ts';

/** The error for a provider that did not answer in time. Its address is shown without a password. */
export function unreachable(name: string, settings: Settings, ms: number): RlmError {
  const [where, check] = makerOf(name).place(settings);
  return new RlmError('provider-unreachable', `${where} did not answer within ${ms / 1000} s`, {
    hint: `${check}; rlm doctor shows more.`,
  });
}
