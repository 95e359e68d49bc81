const login = /^([a-z][a-z0-9+.-]*:\/\/)?.*@/is;

/** Whether an address, also one that cannot be read, has a user or a password in it. */
export const hasLogin = (address: string): boolean => login.test(address);

/** An address, also one that cannot be read, with its user and password hidden. */
export const withoutLogin = (address: string): string => address.replace(login, '$1[secret]@');

/** Settings whose values are addresses, in which a user and a password may stand. */
const addressSettings: readonly string[] = [
  'ollama.host',
  'anthropic.baseUrl',
  'embedding.baseUrl',
  'retrieval.server',
];

/** Whether a setting, by its dotted key, is an address that may have a login in it. */
export const isAddress = (key: string): boolean => addressSettings.includes(key);

/** A setting's value as it may be shown. */
export const shownSetting = (key: string, value: unknown): unknown =>
  isAddress(key) && typeof value === 'string' ? withoutLogin(value) : value;
