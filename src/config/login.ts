/** An address, also one that cannot be read, with its user and password hidden. */
export const withoutLogin = (address: string): string => address.replace(/^([a-z]+:\/\/)?.*@/is, '$1***@');
