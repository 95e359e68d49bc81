/** Names of files that commonly hold passwords, keys or tokens. Case is ignored, as on some file systems. */
const names = new RegExp(
  `^(?:${[
    '\\.env.*|.*\\.env',
    '.*\\.(?:pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx?|keychain(?:-db)?|ovpn|gpg|tfstate(?:\\.backup)?|tfvars)',
    'id_(?:rsa|dsa|ecdsa|ed25519).*',
    '[._]netrc',
    '\\.(?:npmrc|pypirc|pgpass|my\\.cnf|mylogin\\.cnf|htpasswd|git-credentials|dockercfg|s3cfg|boto|vault-token)',
    '\\.terraformrc|\\..*_history',
    '\\.?(?:credentials|secrets)(?:\\.(?:json|ya?ml|xml|ini|toml|txt|csv|properties|enc|db))?',
    '(?:client_secret|service-account).*\\.json|(?:auth|logins)\\.json',
    'kubeconfig|g?shadow|key[34]\\.db|Login Data',
  ].join('|')})$`,
  'is',
);

/** Exceptions to `names`: files that are made to be shared. */
const harmless = /^(?:\.env.*\.(?:example|sample|template|dist)|\.env[-_]example|id_.*\.pub)$/is;

/** Names of folders in which every file is likely secret. */
const folders = /^\.(?:aws|azure|docker|git|gnupg|kube|password-store|ssh)$/i;
/** Files and folders that are likely secret only in a certain folder, as `folder/entry`. */
const pairs = /^(?:\.config\/(?:gcloud|gh|hub|op)|\.gem\/credentials|\.m2\/settings\.xml)$/i;

/** Whether the names in a path with `/` separators suggest that the file or folder contains secrets. */
export function isSecretPath(path: string, isFolder: boolean): boolean {
  const parts = path.split('/');
  const name = parts.at(-1)!.replace(/(?:\.(?:gz|bz2|xz|zst|zip|bak|old|orig)|~)+$/i, '');
  if (!isFolder && names.test(name) && !harmless.test(name)) return true;
  return parts.some((part, at) => folders.test(part) || (at > 0 && pairs.test(`${parts[at - 1]}/${part}`)));
}
