/** Fifty secrets, the places where they are planted, and the search that must find none of them in any output. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const alphabets = [
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  'abcdef0123456789ABCDEFGH+/',
  'abcdefghjkmnp23456789-_.~',
  'abcdxyzABCXYZ019!$&*=?%^()<>;,|',
  'abcdefxyz01289"\\\'',
  'abcdäöüßéñ漢字🔑',
];

/** Returns a secret for each number: always the same, long enough, and different from all others. */
function secretOf(number: number): string {
  const alphabet = [...alphabets[number % alphabets.length]!];
  const bytes = Buffer.concat([0, 1].map((part) => createHash('sha512').update(`${number} ${part}`).digest()));
  return [...bytes.subarray(0, 14 + number)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

const nouns = ['KEY', 'TOKEN', 'SECRET', 'PASSWORD', 'PASSWD', 'CREDENTIAL', 'CREDENTIALS', 'AUTH'];
const variables = Object.fromEntries(
  Array.from({ length: 40 }, (_, number) => [`PLANTED_${number}_${nouns[number % nouns.length]}`, secretOf(number)]),
);

/** Only letters and digits, which addresses contain without encoding. */
const inAddresses = Array.from(
  { length: 10 },
  (_, index) =>
    `pw${index}${createHash('md5')
      .update(`${index}`)
      .digest('hex')
      .slice(0, 10 + index)}`,
);
const [ofHost, ofProxy, ofDatabase, ofQuery, ofUserFile, ofProjectFile, ofFlag, ofKey, ofLogin, ofToken] =
  inAddresses as [string, string, string, string, string, string, string, string, string, string];

export const secrets: readonly string[] = [...Object.values(variables), ...inAddresses];

export { ofFlag, ofProjectFile, ofUserFile };

/** A host with a login in its address. */
export const withLogin = (url: string, password = ofHost) => url.replace('://', `://someone:${password}@`);

/** The environment, with every secret that can be in an environment. */
export const plantedEnv = (url: string): Record<string, string> => ({
  ...variables,
  OLLAMA_HOST: withLogin(url),
  HTTPS_PROXY: `http://me:${ofProxy}@proxy.example:3128`,
  DATABASE_URL: `postgres://app:${ofDatabase}@db.example/orders`,
  HOOK: `https://hooks.example/x?room=main&api_key=${ofQuery}`,
  OLLAMA_API_KEY: ofKey,
  REGISTRY_AUTH: `Basic ${ofLogin}`,
  GIT_REMOTE: `https://${ofToken}@git.example/a.git`,
});

/** The user's file. The environment overrides its host. */
export const userFile = (project: string) =>
  JSON.stringify({ ollama: { host: `http://me:${ofUserFile}@h.example` }, trustedProjects: [project] });

/**
 * Returns the parts of a secret's base64 in the middle of other bytes that do not depend on its neighbours. They are
 * found by trying.
 */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const [one, other] = [0x00, 0xff].map((byte) =>
      Buffer.concat([Buffer.alloc(before, byte), Buffer.from(secret), Buffer.alloc(3, byte)]).toString('base64'),
    );
    return [...one!].filter((character, at) => character === other![at] && character !== '=').join('');
  });
}

const once = (text: string) => JSON.stringify(text).slice(1, -1);

function formsOf(secret: string): readonly string[] {
  const cores = base64Cores(secret);
  const url = encodeURIComponent(secret);
  const hex = Buffer.from(secret).toString('hex');
  const forUrls = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const lower = url.replace(/%../g, (code) => code.toLowerCase());
  const forms = [secret, once(secret), once(once(secret)), url, lower, encodeURI(secret), hex, hex.toUpperCase()];
  return [...new Set([...forms, ...cores, ...forUrls])];
}

const sought = secrets.map((secret, index) => ({ index, forms: formsOf(secret) }));

/** Returns which secrets a text holds, and in which form. */
export function leaksIn(place: string, text: string): string[] {
  return sought.flatMap(({ index, forms }) =>
    forms.filter((form) => text.includes(form)).map((form) => `${place}: secret ${index} as ${form}`),
  );
}

/** Reads every file below the folders, by path, except those that were planted. */
export function filesIn(folders: readonly string[], planted: ReadonlySet<string>): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile() && !planted.has(path)),
  );
}

export const leaksInFiles = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => leaksIn(path.slice(-60), readFileSync(path, 'utf8')));

/** Each secret in all forms in which it may occur. */
export const told = {
  plain: (secret: string) => secret,
  url: (secret: string) => encodeURIComponent(secret),
  base64: (secret: string) => Buffer.from(secret).toString('base64'),
  basicAuth: (secret: string) => `Basic ${Buffer.from(`someone:${secret}`).toString('base64')}`,
  base64url: (secret: string) => Buffer.from(`{"key":"${secret}"}`).toString('base64url'),
  hex: (secret: string) => Buffer.from(secret).toString('hex'),
};

export const allTold = (as: (secret: string) => string): string => secrets.map(as).join(' , ');
