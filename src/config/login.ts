const login = /^([a-z]+:\/\/)?.*@/is;

/** Whether an address, also one that cannot be read, has a user or a password in it. */
export const hasLogin = (address: string): boolean => login.test(address);

/** An address, also one that cannot be read, with its user and password hidden. */
export const withoutLogin = (address: string): string => address.replace(login, '$1[secret]@');

/** Settings whose values are addresses, in which a user and a password may stand. */
export const addressSettings: readonly string[] = ['ollama.host', 'embedding.baseUrl'];
