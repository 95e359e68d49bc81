import { expect, it } from 'vitest';
import { strategyNames } from '../../src/state.ts';
import { strategies } from '../../src/strategies/index.ts';
import { testStrategy } from '../contracts/strategy.ts';

it('every strategy of the index has a known name, and every name has a strategy', () => {
  expect(Object.keys(strategies)).toEqual(strategyNames);
});

for (const name of strategyNames) testStrategy(name);
