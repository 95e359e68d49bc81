import { isLocalAddress } from '../base/local-address.ts';
import type { Environment } from './setting-layers.ts';
import type { Settings } from './settings.ts';

/** The server of a provider and its key, from the settings of that name. */
export interface ServerSettings {
  /** Null where it has no server. */
  readonly address: string | null;
  /** The setting that holds the address; null where it has no server. */
  readonly setting: string | null;
  /** The variable that holds the key; null where it wants none. */
  readonly keyName: string | null;
  readonly hasKey: boolean;
  /** Whether it may be asked for its models. A remote server is asked only if the user has set it up. */
  readonly mayBeAsked: boolean;
}

/** Whether an address is on this machine or network; without a scheme it counts as HTTP. */
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
  const setting = address === null ? null : `${name}.${group.host === undefined ? 'baseUrl' : 'host'}`;
  const keyName = group.baseUrl === undefined ? null : `${name.toUpperCase()}_API_KEY`;
  const hasKey = keyName !== null && ((group.apiKey ?? '') !== '' || (env[keyName] ?? '').trim() !== '');
  const isNamed = settings.provider === name || group.host !== undefined;
  const mayBeAsked = address === null || isNamed || hasKey || isNear(address);
  return { address, setting, keyName, hasKey, mayBeAsked };
}
