import { expect, it } from 'vitest';
import { isAddress, isSecret, shownSetting } from '../../src/config/login.ts';
import { settingsByKey } from '../../src/config/settings.ts';

const keys = [...settingsByKey.keys()];

it('treats every setting called a key or a token as a secret', () => {
  const named = keys.filter((key) => /(?:apiKey|token|secret|password)$/i.test(key));
  expect(named).toContain('openai.apiKey');
  expect(named.filter((key) => !isSecret(key))).toEqual([]);
});

it('treats every setting called a host, a URL or a server as an address', () => {
  const named = keys.filter((key) => /(?:host|url|server)$/i.test(key));
  expect(named).toContain('ollama.host');
  expect(named.filter((key) => !isAddress(key))).toEqual([]);
});

it('lets only the user set addresses and secrets', () => {
  const guarded = keys.filter((key) => isAddress(key) || isSecret(key));
  expect(guarded.filter((key) => settingsByKey.get(key)?.from !== 'user')).toEqual([]);
});

it('shows neither a secret nor a login', () => {
  expect(shownSetting('anthropic.apiKey', 'sk-1')).toBe('[secret]');
  expect(shownSetting('openai.baseUrl', 'https://u:p@host/v1')).toBe('https://[secret]@host/v1');
  expect(shownSetting('model', 'u@host')).toBe('u@host');
});
