import { expect, it } from 'vitest';
import { strategyNames } from '../../src/state.ts';
import { strategies } from '../../src/strategies/index.ts';
import { testStrategy } from '../contracts/strategy.ts';

it('every strategy of the index is one of the names, and the other way round', () => {
  expect(Object.keys(strategies)).toEqual(strategyNames);
});

for (const name of strategyNames) testStrategy(name);
