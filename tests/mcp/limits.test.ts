import { describe, expect, it } from 'vitest';
import { loadConfiguration, type Settings } from '../../src/index.ts';
import { grant, type Wishes } from '../../src/mcp/limits.ts';

const settingsOf = (settings: Record<string, unknown> = {}): Settings =>
  loadConfiguration({ settings: new Map(Object.entries(settings)), env: {}, cwd: '/' }).settings;

const granted = (wishes: Wishes, settings: Record<string, unknown> = {}) =>
  Object.fromEntries(grant(settingsOf(settings), wishes).settings);

describe('what a request may change', () => {
  it('lowers a limit, and never raises one', () => {
    const own = { 'budget.maxCalls': 20, 'budget.maxDepth': 2, 'budget.maxCost': 1, 'budget.timeout': 60 };
    expect(granted({ maxCalls: 5, maxDepth: 1, maxCost: 0.5, timeout: 10 }, own)).toEqual({
      'budget.maxCalls': 5,
      'budget.maxDepth': 1,
      'budget.maxCost': 0.5,
      'budget.timeout': 10,
    });
    const greedy = grant(settingsOf(own), { maxCalls: 10_000, maxDepth: 5, maxCost: 900, timeout: 9_000 });
    expect(Object.fromEntries(greedy.settings)).toEqual(own);
    expect(greedy.notes).toHaveLength(4);
    expect(granted({ maxTokens: 1_000 })).toEqual({ 'budget.maxTokens': 1_000 });
  });

  it('names no provider and no model that the user has not chosen', () => {
    const refused: [Wishes, Record<string, unknown>?][] = [
      [{ provider: 'anthropic' }],
      [{ provider: 'claude-sdk' }],
      [{ provider: 'http://evil.example' }],
      [{ model: '/etc/model.gguf' }],
      [{ model: 'model.gguf' }],
      [{ model: 'gpt-oss:120b-cloud' }],
      [{ recursiveModel: 'deepseek-v3.1:cloud' }],
      [{ modelTiers: { 1: 'gpt-oss:120b-cloud' } }],
      [{ model: 'anthropic/claude-opus-5-5' }],
      [{ model: 'gpt-5.5' }, { provider: 'openai', model: 'gpt-5.4-nano' }],
      [{ recursiveProvider: 'openai' }],
      [{ recursiveModel: 'openai/gpt-5.5' }],
      [{ modelTiers: { 1: 'anthropic/claude-opus-5-5' } }],
      [{ preset: 'quality-first' }],
      [{ role: '/etc/role.md' }],
      [{ role: '../role' }],
    ];
    for (const [wishes, settings] of refused)
      expect(() => grant(settingsOf(settings), wishes), JSON.stringify(wishes)).toThrow(
        /not (allowed by the user's settings|the user's preset|the name of a role)/,
      );
  });

  it("takes the user's own, and any model of a server that costs nothing", () => {
    expect(granted({ provider: 'ollama', model: 'llama3.2:3b' })).toEqual({ provider: 'ollama', model: 'llama3.2:3b' });
    const hosted = { provider: 'anthropic', model: 'claude-haiku-5-5', fallbacks: ['ollama/qwen2.5-coder:1.5b'] };
    expect(granted({ provider: 'claude-sdk', model: 'claude-haiku-5-5' }, hosted)).toEqual({
      provider: 'anthropic',
      model: 'claude-haiku-5-5',
    });
    expect(granted({ provider: 'ollama' }, hosted)).toEqual({ provider: 'ollama' });
    expect(granted({ modelTiers: { 1: 'llama3.2:3b' } })).toEqual({ models: { 1: 'llama3.2:3b' } });
    expect(granted({ preset: 'fully-local' })).toEqual({ preset: 'fully-local' });
  });
});
