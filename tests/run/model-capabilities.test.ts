import { describe, expect, it } from 'vitest';
import { isSmall, type ModelFacts, strategiesFor } from '../../src/run/model-capabilities.ts';

const model = (changes: Partial<ModelFacts>): ModelFacts => ({
  model: 'a-coder',
  tools: true,
  structuredOutput: true,
  weights: null,
  sizeBytes: null,
  maxWindowTokens: null,
  ...changes,
});

describe('the strategies that a model is capable of', () => {
  it.each<[string, Partial<ModelFacts>, readonly string[]]>([
    ['nothing is known', {}, ['direct', 'decompose', 'scan', 'explore', 'repl']],
    ['it is small', { weights: 1.5e9 }, ['direct', 'scan']],
    ['its window is narrow', { weights: 70e9, maxWindowTokens: 4_096 }, ['direct', 'scan']],
    [
      'it calls no tools and keeps no form',
      { tools: false, structuredOutput: false },
      ['direct', 'decompose', 'scan', 'repl'],
    ],
    [
      'it neither calls tools nor writes code',
      { model: 'x', tools: false },
      ['direct', 'decompose', 'scan', 'explore'],
    ],
  ])('if %s', (_, changes, can) => {
    expect([...strategiesFor(model(changes))].sort()).toEqual([...can].sort());
  });

  it.each([
    ['codellama:34b codegemma:7b codeqwen:7b starcoder2:15b deepseek-coder opencoder qwen2.5-coder', true],
    ['codestral devstral granite-code:8b gpt-5-codex', true],
    ['nomic-encoder autoencoder transcoder decode audiocodec', false],
  ])('depend on whether its name says that it writes code: %s', (names, writes) => {
    for (const name of names.split(' '))
      expect([name, strategiesFor(model({ model: name, tools: false })).has('repl')]).toEqual([name, writes]);
  });

  it.each<[string, Partial<ModelFacts>, boolean]>([
    ['its weights', { weights: 3.2e9, sizeBytes: 1e9 }, false],
    ['its size', { sizeBytes: 1.9e9 }, true],
    ['its size before its name', { model: 'x-1b', sizeBytes: 5e9 }, false],
    ['its name', { model: 'qwen2.5-1.5b-instruct' }, true],
    ['millions in its name', { model: 'smollm2:360m' }, true],
    ['a large one in its name', { model: 'qwen3-30b-a3b' }, false],
    ['no size of a context', { model: 'claude-opus-4.5-1m' }, false],
    ['weights beside the size of a context', { model: 'qwen2.5-1m:1.5b' }, true],
    ['a name that tells none', { model: 'gpt-5.5' }, false],
  ])('depend on %s', (_, changes, small) => {
    expect(isSmall(model(changes))).toBe(small);
  });
});
