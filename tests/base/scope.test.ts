import { describe, expect, it } from 'vitest';
import { createScope } from '../../src/base/scope.ts';

describe('a scope', () => {
  it('closes everything, the last first, despite failures; a late addition is closed at once', async () => {
    const scope = createScope();
    const closed: string[] = [];
    scope.add(() => void closed.push('first'));
    scope.add(async () => {
      throw new Error('it failed');
    });
    scope.add(async () => void closed.push('last'));
    await expect(scope.close()).rejects.toThrow('it failed');
    expect(closed).toEqual(['last', 'first']);
    scope.add(() => void closed.push('late'));
    await scope.close();
    expect(closed).toEqual(['last', 'first', 'late']);
  });
});
