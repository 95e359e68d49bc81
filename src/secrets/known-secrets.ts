import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Addresses from settings, which may lack `http://`. */
  readonly addresses?: readonly string[];
  readonly values?: readonly string[];
  /** Texts that may contain an address. */
  readonly texts?: readonly string[];
}

/** The minimum length of a key or password, in characters. Redacting a shorter one would remove ordinary words. */
const shortest = 8;
/** The minimum length of `user:password`, in characters. */
const shortestLogin = 5;

const secretWords = new Set(
  'key apikey token secret password passwd passphrase pass pwd pgpassword credential credentials auth'.split(' '),
);
/** Values that select a mode. They are no secrets, even if the variable's name announces a secret. */
const switches = new Set(['disabled', 'required', 'optional', 'anonymous', 'password']);

/** Whether a name announces a secret, as `GITHUB_TOKEN` and `npm_config__authToken` do. `PWD` is a folder. */
function saysSecret(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return name !== 'PWD' && words.some((word) => secretWords.has(word));
}

/** Whether a value is the path of an existing file or socket. Such a path may lead to the secret, but is no secret. */
const isPlace = (value: string): boolean => isAbsolute(value) && existsSync(value);

function secretsInValue(value: string): string[] {
  const whole = value.trim().replace(/^(?:Basic|Bearer|Token)\s+/i, '');
  if (whole.length < shortest || switches.has(whole.toLowerCase()) || isPlace(whole)) return [];
  const lines = whole.split(/[\r\n]+/).map((line) => line.trim());
  const keyLines = lines.length > 1 ? lines.filter((line) => line.length >= shortest && !line.startsWith('-----')) : [];
  return [whole, ...keyLines];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the secrets in a login: the whole login, the password, and the user name if the password is no secret. */
function secretsInLogin(login: string): string[] {
  return [...new Set([login, decoded(login)])].flatMap((text) => {
    const colon = text.indexOf(':');
    const [user, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
    const isToken = password.length < shortest || password === 'x-oauth-basic';
    const single = [password, isToken ? user : ''].filter(({ length }) => length >= shortest);
    return text.length >= shortestLogin && password !== '' ? [text, ...single] : single;
  });
}

const loginInText = /\b[a-z][a-z0-9+.-]*:\/\/([^\s/?#"]+)@/gi;
const loginInAddress = /^\s*["']*(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#]+)@/gi;

/** Uses the pattern only on texts with `@`, because its first use takes 5 ms and most texts have no login. */
const secretsInLogins = (text: string, form: RegExp): string[] =>
  text.includes('@') ? [...text.matchAll(form)].flatMap(([, login]) => secretsInLogin(login!)) : [];

/** Returns the secrets in a query string, such as `?api_key=…`. */
const secretsInQuery = (text: string): string[] =>
  [...text.matchAll(/[?&;]([\w.-]+)=([^&;\s#"]+)/g)]
    .filter(([, name]) => saysSecret(name!))
    .flatMap(([, , value]) => [value!, decoded(value!)])
    .filter(({ length }) => length >= shortest);

const secretsInText = (text: string): string[] => [...secretsInLogins(text, loginInText), ...secretsInQuery(text)];
const secretsInAddress = (address: string): string[] => secretsInLogins(address, loginInAddress);

const isAddressName = (name: string): boolean => /(?:host|proxy|url|uri)$/i.test(name);

/**
 * Finds secrets: values of variables whose names announce a secret, the given values, and logins and keys in addresses
 * and texts.
 */
export function findSecrets({ env, addresses = [], values = [], texts = [] }: SecretSources): string[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => [
    ...(saysSecret(name) ? secretsInValue(value) : []),
    ...(isAddressName(name) ? secretsInAddress(value) : []),
    ...secretsInText(value),
  ]);
  const inSettings = [...addresses.flatMap(secretsInAddress), ...values.flatMap(secretsInValue)];
  return [...new Set([...found, ...inSettings, ...texts.flatMap(secretsInText)])];
}
