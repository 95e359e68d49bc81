import { settingsByKey } from './settings.ts';

const login = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/** Whether an address, also one that cannot be read, has a user or a password in it. */
export const hasLogin = (address: string): boolean => login.test(address);

/** An address, also one that cannot be read, with its user and password hidden. */
export const withoutLogin = (address: string): string => address.replace(login, '$1[secret]@');

/** Whether a setting, by its dotted key, is an address that may have a login in it. */
export const isAddress = (key: string): boolean => settingsByKey.get(key)?.holds === 'address';

/** Whether a setting, by its dotted key, is a secret. */
export const isSecret = (key: string): boolean => settingsByKey.get(key)?.holds === 'secret';

/** A setting's value as it may be shown. */
export function shownSetting(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return isSecret(key) ? '[secret]' : isAddress(key) ? withoutLogin(value) : value;
}
