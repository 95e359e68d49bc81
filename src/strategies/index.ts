import type { StrategyName } from '../state.ts';
import { decompose } from './decompose.ts';
import { direct } from './direct.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy by its name. */
export const strategies = { direct, decompose } as const satisfies Record<StrategyName, Strategy>;
