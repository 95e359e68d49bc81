import type { Result, WarningCode } from '../../src/index.ts';

/** Returns the warnings of a result with this code, one per line; empty without any. */
export const warned = ({ warnings, warningCodes }: Result, code: WarningCode): string =>
  warnings.filter((_, index) => warningCodes[index] === code).join('\n');
