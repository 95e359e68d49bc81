import { describe, expect, it } from 'vitest';
import { completenessOf } from '../../src/prompts/answer.ts';

const missing = ['Who asked for the limit?'];

describe('how much an answer tells', () => {
  it.each([
    ['all', missing, { tells: 'all', missing: [] }],
    ['part', missing, { tells: 'part', missing }],
    ['part', [], { tells: 'part', missing: [] }],
    ['nothing', missing, { tells: 'nothing', missing }],
    ['unsaid', [], { tells: null, missing: [] }],
    ['unsaid', missing, { tells: 'part', missing }],
  ] as const)('is stated by the reply: %s, missing %j', (tells, named, expected) => {
    expect(completenessOf({ tells, missing: named })).toEqual(expected);
  });
});
