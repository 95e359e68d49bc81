import { isLocalAddress } from '../base/local-address.ts';
import type { Environment } from './setting-layers.ts';
import type { Settings } from './settings.ts';

/** Whether an address is on this machine or a private network. An address without a scheme counts as HTTP. */
function isNear(address: string): boolean {
  const url = address.includes('://') ? address : `http://${address}`;
  return URL.canParse(url) && isLocalAddress(url);
}

/**
 * Returns the address of a provider's server with its setting, the variable for its key, and whether a key is set. The
 * first three are null if the provider has none. `mayBeAsked`: whether a list of models may be requested; of a remote
 * server, only if the user has set it up.
 * @param name the provider; its group of settings has this name, and the variable `NAME_API_KEY` holds its key.
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
