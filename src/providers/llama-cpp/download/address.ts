/** Where a model file is downloaded from: only over https, or from this machine. */
import { isLocalAddress } from '../../../base/local-address.ts';
import { RlmError } from '../../../errors.ts';

/** What is downloaded. */
export interface FileAddress {
  readonly url: URL;
  /** The file's name here: a plain one, such as `model.gguf`. */
  readonly name: string;
}

const hub = 'https://huggingface.co';
const plainName = /^[A-Za-z0-9][\w.+-]{0,127}$/;
const fileName = /\.gguf$/i;

const refused = (given: string, why: string, hint: string): RlmError =>
  new RlmError('usage', `"${given}" cannot be downloaded: ${why}`, { hint });

const example = 'Such as: rlm models pull hf:OWNER/REPO/FILE.gguf, or an https address of a .gguf file.';

/** Whether the text names a file to download, and not a model of a server. */
export const isFileAddress = (text: string): boolean => /^(?:hf:|https?:\/\/)/.test(text);

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Whether an address may be asked: nobody between may read or change what comes. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether a server may send on to another address: not in clear, and not from elsewhere into this network. */
export const mayLead = (from: URL, to: URL): boolean =>
  isSafe(to) && to.username + to.password === '' && (isLocalAddress(from.href) || !isLocalAddress(to.href));

function hubUrl(given: string, base: string): URL {
  const [owner, repository, ...path] = given.slice('hf:'.length).split('/');
  const parts = [owner, repository, ...path];
  if (path.length === 0 || !parts.every((part) => plainName.test(part ?? ''))) {
    throw refused(given, 'it is not of the form hf:OWNER/REPO/FILE.gguf', example);
  }
  return new URL(`${base.replace(/\/+$/, '')}/${owner}/${repository}/resolve/main/${path.join('/')}`);
}

/**
 * Reads `hf:OWNER/REPO/FILE.gguf` or an address.
 * @param env `HF_ENDPOINT` may name another host than Hugging Face's own, as in its own programs.
 * @throws RlmError `usage` for what is no such file, or stands where it cannot be had safely.
 */
export function readFileAddress(given: string, env: Readonly<Record<string, string | undefined>>): FileAddress {
  const base = env['HF_ENDPOINT'] || hub;
  const text = given.startsWith('hf:') ? hubUrl(given, URL.canParse(base) ? base : hub).href : given;
  if (!URL.canParse(text)) throw refused(given, 'it is no valid address', example);
  const url = new URL(text);
  if (url.username + url.password !== '') throw refused(given, 'it holds a user name or a password', example);
  if (!isSafe(url))
    throw refused(given, 'it is not on https', 'Only https addresses are read, and those of this machine.');
  const name = url.pathname.split('/').at(-1) ?? '';
  if (!plainName.test(name) || !fileName.test(name)) throw refused(given, 'it is no .gguf file', example);
  return { url, name };
}
