import { describe, expect, it } from 'vitest';
import { type Routes, readReference, referencesIn, routeOf } from '../../src/config/model-reference.ts';

const routes: Routes = {
  models: { critic: 'a', answer: { 0: 'b', 2: 'c' }, 1: 'd' },
  recursive: 'e',
};

describe('a route', () => {
  it.each<[string, number, string | null, string]>([
    ['critic', 0, 'a', 'the prompt'],
    ['critic', 1, 'a', 'the prompt, before the depth'],
    ['answer', 0, 'b', 'the prompt at that depth'],
    ['answer', 1, 'b', 'the prompt at the depth above'],
    ['answer', 3, 'c', 'the prompt at the deepest depth above'],
    ['assess', 1, 'd', 'the depth, before what is below the root'],
    ['assess', 4, 'd', 'the depth above'],
    ['planner', 0, null, 'nothing'],
  ])('of %s at depth %i is %s: %s', (prompt, depth, expected) => {
    expect(routeOf(routes, prompt, depth)).toBe(expected);
  });

  it('falls back to the model below the root if nothing else is set', () => {
    expect(routeOf({ models: {}, recursive: 'e' }, 'answer', 1)).toBe('e');
    expect(routeOf({ models: {}, recursive: 'e' }, 'answer', 0)).toBeNull();
    expect(routeOf({ models: { answer: { 1: 'b' } }, recursive: null }, 'answer', 0)).toBeNull();
  });

  it('may lead to any of these, each once', () => {
    expect(referencesIn({ models: { ...routes.models, scan: 'a' }, recursive: 'e' }).toSorted()).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
  });
});

describe('a model reference', () => {
  it.each([
    ['llama3.2:3b', null, 'llama3.2:3b'],
    ['ollama/llama3.2:3b', 'ollama', 'llama3.2:3b'],
    ['hf.co/bartowski/x:Q4', null, 'hf.co/bartowski/x:Q4'],
    ['openai/openai/gpt-oss-20b', 'openai', 'openai/gpt-oss-20b'],
    ['openai', 'openai', null],
    ['openai/', null, 'openai/'],
    ['/x', null, '/x'],
  ])('%s', (text, provider, model) => {
    expect(readReference(text, ['ollama', 'openai'])).toEqual({ provider, model });
  });
});
