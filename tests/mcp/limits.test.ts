import { describe, expect, it } from 'vitest';
import { loadConfiguration, type Settings } from '../../src/index.ts';
import type { Wishes } from '../../src/mcp/arguments.ts';
import { grant } from '../../src/mcp/limits.ts';

const settingsOf = (settings: Record<string, unknown> = {}): Settings =>
  loadConfiguration({ settings: new Map(Object.entries(settings)), env: {}, cwd: '/' }).settings;

const granted = (wishes: Wishes, settings: Record<string, unknown> = {}) =>
  Object.fromEntries(grant(settingsOf(settings), wishes).settings);

describe('what a request may change', () => {
  it('lowers a limit, and never raises one', () => {
    const own = { 'budget.maxCalls': 20, 'budget.maxDepth': 2, 'budget.maxCost': 1, 'budget.timeout': 60 };
    expect(granted({ max_calls: 5, max_depth: 1, max_cost_usd: 0.5, timeout_seconds: 10 }, own)).toEqual({
      'budget.maxCalls': 5,
      'budget.maxDepth': 1,
      'budget.maxCost': 0.5,
      'budget.timeout': 10,
    });
    const greedy = grant(settingsOf(own), {
      max_calls: 10_000,
      max_depth: 5,
      max_cost_usd: 900,
      timeout_seconds: 9_000,
    });
    expect(Object.fromEntries(greedy.settings)).toEqual(own);
    expect(greedy.notes).toHaveLength(4);
    expect(granted({ max_tokens: 1_000 })).toEqual({ 'budget.maxTokens': 1_000 });
  });

  it('names no provider and no model that the user has not chosen', () => {
    const refused: [Wishes, Record<string, unknown>?][] = [
      [{ provider: 'anthropic' }],
      [{ provider: 'claude-sdk' }],
      [{ provider: 'http://evil.example' }],
      [{ model: '/etc/model.gguf' }],
      [{ model: 'model.gguf' }],
      [{ model: 'gpt-oss:120b-cloud' }],
      [{ recursive_model: 'deepseek-v3.1:cloud' }],
      [{ model_tiers: { 1: 'gpt-oss:120b-cloud' } }],
      [{ model: 'anthropic/claude-opus-5-5' }],
      [{ model: 'gpt-5.5' }, { provider: 'openai', model: 'gpt-5.4-nano' }],
      [{ recursive_provider: 'openai' }],
      [{ recursive_model: 'gpt-5.5' }, { 'recursive.provider': 'openai', 'recursive.model': 'gpt-5.4-nano' }],
      [{ recursive_model: 'openai/gpt-5.5' }],
      [{ model_tiers: { 1: 'anthropic/claude-opus-5-5' } }],
      [{ tier_strategy: 'quality-first' }],
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
    expect(granted({ model_tiers: { 1: 'llama3.2:3b' } })).toEqual({ models: { 1: 'llama3.2:3b' } });
    expect(granted({ tier_strategy: 'fully-local' })).toEqual({ preset: 'fully-local' });
  });
});
