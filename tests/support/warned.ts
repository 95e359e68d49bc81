import type { Result, WarningCode } from '../../src/index.ts';

/** What a result warns of under this code, one warning a line; empty where nothing is. */
export const warned = ({ warnings, warningCodes }: Result, code: WarningCode): string =>
  warnings.filter((_, index) => warningCodes[index] === code).join('\n');
