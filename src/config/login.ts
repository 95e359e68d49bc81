import { settingsByKey } from './settings.ts';

const login = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/** Whether an address, well-formed or not, has an `@` and so may contain a user and a password. */
export const hasLogin = (address: string): boolean => login.test(address);

/** Returns an address, well-formed or not, with its user and password hidden. */
export const withoutLogin = (address: string): string => address.replace(login, '$1[secret]@');

/** Whether the setting with this dotted key is an address. */
export const isAddress = (key: string): boolean => settingsByKey.get(key)?.holds === 'address';

export const isSecret = (key: string): boolean => settingsByKey.get(key)?.holds === 'secret';

export function shownSetting(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return isSecret(key) ? '[secret]' : isAddress(key) ? withoutLogin(value) : value;
}
