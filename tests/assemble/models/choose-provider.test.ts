import { describe, expect, it } from 'vitest';
import { settleProvider } from '../../../src/assemble/models/choose-provider.ts';
import type { ProviderSettings } from '../../../src/assemble/models/providers.ts';
import { loadConfiguration } from '../../../src/config/layers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Given {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly project?: object;
}

/** Loads settings from these sources. */
function choiceOf({ flags = {}, env = {}, project }: Given): ProviderSettings {
  const cwd = tempFolder(project === undefined ? {} : { 'rlm.config.json': JSON.stringify(project) });
  return loadConfiguration({ cwd, env: { HOME: '/dev/null/nowhere', ...env }, flags: new Map(Object.entries(flags)) });
}

describe('the provider and model of a run', () => {
  it.each<[string, Given, string, string | null]>([
    ['nothing is said', {}, 'auto', null],
    ['a provider', { flags: { provider: 'ollama' } }, 'ollama', null],
    ['a model', { flags: { model: 'llama3.2:3b' } }, 'auto', 'llama3.2:3b'],
    ['a model with its provider', { flags: { model: 'ollama/llama3.2:3b' } }, 'ollama', 'llama3.2:3b'],
    ['a provider as the model', { flags: { model: 'extractive' } }, 'extractive', null],
    ['a name with a slash', { flags: { model: 'hf.co/x/y:Q4' } }, 'auto', 'hf.co/x/y:Q4'],
    ['both, that agree', { flags: { provider: 'ollama', model: 'ollama/x' } }, 'ollama', 'x'],
    ['a flag over a variable', { flags: { model: 'extractive' }, env: { RLM_PROVIDER: 'ollama' } }, 'extractive', null],
    [
      'a provider that is set in a stronger place',
      { flags: { provider: 'extractive' }, env: { RLM_MODEL: 'ollama/x' } },
      'extractive',
      null,
    ],
    ['a model in a weaker place', { flags: { provider: 'extractive' }, env: { RLM_MODEL: 'x' } }, 'extractive', null],
    ['a model of a project, for the same provider', { project: { model: 'ollama/x' } }, 'ollama', 'x'],
  ])('%s', (_, given, provider, model) => {
    expect(settleProvider(choiceOf(given))).toEqual({ provider, model });
  });

  it('are refused if they contradict each other', () => {
    const choice = choiceOf({ flags: { provider: 'extractive', model: 'ollama/x' } });
    expect(() => settleProvider(choice)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('--model ollama/x') }),
    );
  });

  it.each<[string, Given, string]>([
    ['in flags', { flags: { provider: 'extractive', model: 'x' } }, 'usage'],
    ['in variables', { env: { RLM_PROVIDER: 'extractive', RLM_MODEL: 'x' } }, 'config-invalid'],
    ['with the model in a stronger place', { flags: { model: 'x' }, env: { RLM_PROVIDER: 'extractive' } }, 'usage'],
  ])('are refused if the provider asks no model: %s', (_, given, code) => {
    expect(() => settleProvider(choiceOf(given))).toThrow(expect.objectContaining({ code }));
  });
});
