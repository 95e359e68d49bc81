import { expect, it } from 'vitest';
import { findSecrets } from '../../src/secrets/known-secrets.ts';

const value = 'v4lue-of-it';

it.each([
  'OLLAMA_API_KEY',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'DB_PASSWORD',
  'SMTP_PASSWD',
  'PGPASSWORD',
  'SERVICE_CREDENTIAL',
  'CLOUD_CREDENTIALS',
  'REDISCLI_AUTH',
  'npm_config__authToken',
  'secret',
])('%s holds a secret', (name) => {
  expect(findSecrets({ env: { [name]: value } })).toEqual([value]);
});

it.each(['KEYBOARD_LAYOUT', 'RLM_MAX_TOKENS', 'AUTHOR', 'MONKEY', 'PWD', 'PATH', 'TOKENIZERS_PARALLELISM'])(
  '%s holds none',
  (name) => {
    expect(findSecrets({ env: { [name]: value } })).toEqual([]);
  },
);

it.each([
  ['what is too short', 'abc1234'],
  ['what switches something', 'disabled'],
  ['the place of a file', process.execPath],
  ['nothing', ''],
])('%s is not a secret', (_, text) => {
  expect(findSecrets({ env: { MY_TOKEN: text } })).toEqual([]);
});

it('finds a token without the scheme of its header', () => {
  expect(findSecrets({ env: { HTTP_AUTH: `Bearer ${value}\n` } })).toEqual([value]);
});

it('finds each line of a key', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----';
  expect(findSecrets({ env: { SSH_KEY: key } })).toEqual([key, 'MIIEvQIBADAN', 'BgkqhkiG9w0B']);
});

it.each([
  ['OLLAMA_HOST', 'http://me:hunter2-x@host:1/', ['me:hunter2-x', 'hunter2-x']],
  ['OLLAMA_HOST', 'me:hunter2-x@host', ['me:hunter2-x', 'hunter2-x']],
  ['HTTPS_PROXY', 'http://me:short@proxy', ['me:short']],
  ['DSN', 'postgres://app:p%40ssw0rd@db/x', ['app:p%40ssw0rd', 'p%40ssw0rd', 'app:p@ssw0rd', 'p@ssw0rd']],
  ['REMOTE', 'https://ghp_abcdefgh@github.com/x', ['ghp_abcdefgh']],
  ['REMOTE', 'https://ghp_abcdefgh:x-oauth-basic@github.com/x', expect.arrayContaining(['ghp_abcdefgh'])],
  ['HOOK', 'https://host/hook?room=general1&api_key=abc%2Bdefgh', ['abc%2Bdefgh', 'abc+defgh']],
  ['REMOTE_URL', 'git@github.com:a/b.git', []],
])('finds the login in %s=%s', (name, address, found) => {
  expect(findSecrets({ env: { [name]: address } })).toEqual(found);
});

it('finds logins in addresses of settings and in any text', () => {
  expect(
    findSecrets({ env: {}, addresses: ['token-alone@host:1'], texts: ['{"host":"http://a:bcdefghi@h","b":"@"}'] }),
  ).toEqual(['token-alone', 'a:bcdefghi', 'bcdefghi']);
});

it('finds secrets of settings unchanged', () => {
  expect(findSecrets({ env: {}, values: [value, 'short'] })).toEqual([value]);
});
