import { isLocalAddress } from '../base/local-address.ts';
import type { Environment } from './setting-layers.ts';
import type { Settings } from './settings.ts';

function isNear(address: string): boolean {
  const url = address.includes('://') ? address : `http://${address}`;
  return URL.canParse(url) && isLocalAddress(url);
}

/**
 * Returns the address of a provider's server, the setting with the address, and the variable with the key. Each of
 * these three is null if the provider does not have it. `mayBeAsked`: whether rlm may request the list of models. This
 * is allowed for local servers, Ollama, the configured provider, and providers that have a key or no address.
 * @param name the provider. Its settings are in the group of this name, and its key is in the variable `NAME_API_KEY`.
 */
export function serverOf(name: string, settings: Settings, env: Environment) {
  type Group = { readonly host?: string; readonly baseUrl?: string; readonly apiKey?: string | null };
  const group = (settings as unknown as Readonly<Record<string, Group | undefined>>)[name] ?? {};
  const address = group.host ?? group.baseUrl ?? null;
  const setting = address === null ? null : `${name}.${group.host === undefined ? 'baseUrl' : 'host'}`;
  const keyName = group.baseUrl === undefined ? null : `${name.toUpperCase()}_API_KEY`;
  const hasKey = keyName !== null && ((group.apiKey ?? '') !== '' || (env[keyName] ?? '').trim() !== '');
  const isNamed = settings.provider === name || group.host !== undefined;
  const mayBeAsked = address === null || isNamed || hasKey || isNear(address);
  return { address, setting, keyName, hasKey, mayBeAsked };
}
