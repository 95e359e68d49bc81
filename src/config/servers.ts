import { isLocalAddress } from '../base/local-address.ts';
import type { Environment } from './setting-layers.ts';
import type { Settings } from './settings.ts';

/** Where a provider's server is and whether there is a key for it, going by the settings of its name. */
export interface ServerSettings {
  /** Null where it has no server. */
  readonly address: string | null;
  /** The variable that holds the key; null where it wants none. */
  readonly keyName: string | null;
  readonly hasKey: boolean;
  /** Whether it may be asked for its models: nobody elsewhere is, whom the user has not set up. */
  readonly mayBeAsked: boolean;
}

/** Whether a server of a setting is near; an address without its scheme is taken as one of HTTP. */
function isNear(address: string): boolean {
  const url = address.includes('://') ? address : `http://${address}`;
  return URL.canParse(url) && isLocalAddress(url);
}

/** What a provider's group of settings may hold. */
interface Group {
  readonly host?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string | null;
}

/** @param name the provider's, which its settings and the variable with its key are called after. */
export function serverOf(name: string, settings: Settings, env: Environment): ServerSettings {
  const group = (settings as unknown as Readonly<Record<string, Group | undefined>>)[name] ?? {};
  const address = group.host ?? group.baseUrl ?? null;
  const keyName = group.baseUrl === undefined ? null : `${name.toUpperCase()}_API_KEY`;
  const hasKey = keyName !== null && ((group.apiKey ?? '') !== '' || (env[keyName] ?? '').trim() !== '');
  const isNamed = settings.provider === name || group.host !== undefined;
  return { address, keyName, hasKey, mayBeAsked: address === null || isNamed || hasKey || isNear(address) };
}
