import { compileGlob } from '../../../base/glob.ts';

/** Common names of files that hold passwords, keys or tokens. */
const names: readonly string[] = [
  '.env*',
  '*.env',
  '*.{pem,key,p8,p12,pfx,jks,keystore,ppk,kdb,kdbx,keychain,keychain-db,ovpn,gpg}',
  'id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}*',
  '{.,_}netrc',
  '.{npmrc,pypirc,pgpass,my.cnf,mylogin.cnf,htpasswd,git-credentials,dockercfg,s3cfg,boto,vault-token,terraformrc}',
  '.*_history',
  '{credentials,secrets,.credentials,.secrets}',
  '{credentials,secrets,.credentials,.secrets}.{json,yaml,yml,xml,ini,toml,txt,csv,properties,enc,db}',
  'client_secret*.json',
  'service-account*.json',
  'auth.json',
  'kubeconfig',
  '*.{tfstate,tfstate.backup,tfvars}',
  'shadow',
  'gshadow',
  'logins.json',
  'key[34].db',
  'Login Data',
];

/** Of the above, files that are made to be shown. */
const harmless: readonly string[] = ['.env*.{example,sample,template,dist}', '.env{-,_}example', 'id_*.pub'];

/** Folders that hold only such files. */
const folders: readonly string[] = ['.aws', '.azure', '.docker', '.git', '.gnupg', '.kube', '.password-store', '.ssh'];

/** Pairs of a folder and an entry in it. */
const below: readonly string[] = ['.config/{gcloud,gh,hub,op}', '.gem/credentials', '.m2/settings.xml'];

/** Case is ignored, as by some file systems. */
const anyOf = (globs: readonly string[]) => {
  const tests = globs.map((glob) => compileGlob(glob, { dot: true, ignoreCase: true }));
  return (name: string): boolean => tests.some((test) => test(name));
};

const isSecretName = anyOf(names);
const isHarmless = anyOf(harmless);
const isSecretFolder = anyOf(folders);
const isSecretPair = anyOf(below);

/**
 * Whether secrets are commonly kept at a path.
 * @param path below a root, with `/` separators.
 */
export function isSecretPath(path: string, isFolder: boolean): boolean {
  const parts = path.split('/');
  const name = parts.at(-1)!;
  if (!isFolder && isSecretName(name) && !isHarmless(name)) return true;
  return parts.some((part, at) => isSecretFolder(part) || (at > 0 && isSecretPair(`${parts[at - 1]}/${part}`)));
}
