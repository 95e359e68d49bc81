import type { StrategyName } from '../state.ts';
import { decompose } from './decompose.ts';
import { direct } from './direct.ts';
import { explore } from './explore.ts';
import { repl } from './repl.ts';
import { scan } from './scan.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy by its name. */
export const strategies = { direct, decompose, scan, explore, repl } as const satisfies Record<StrategyName, Strategy>;
