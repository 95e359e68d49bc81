import { systemDetail } from '../../base/files/system.ts';
import { isLocalAddress } from '../../base/local-address.ts';
import { RlmError } from '../../errors.ts';
import { clean } from '../wire/http-errors.ts';

export interface FileAddress {
  readonly url: URL;
  /** The local name of the file, without folders: `model.gguf`. */
  readonly name: string;
}

const hub = 'https://huggingface.co';
const plainName = /^[A-Za-z0-9][\w.+-]{0,127}$/;
const fileName = /\.gguf$/i;

const refused = (given: string, why: string, hint: string): RlmError =>
  new RlmError('usage', `"${given}" cannot be downloaded: ${why}`, { hint });

const example = 'For example: rlm models pull hf:OWNER/REPO/FILE.gguf, or an https address of a .gguf file.';

/** Whether the text names a file to download rather than a model of a server. */
export const isFileAddress = (text: string): boolean => /^(?:hf:|https?:\/\/)/.test(text);

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Whether an address is on https or on this machine, so that nobody on the way can change the download. */
const isSafe = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether a redirect is allowed: to a safe address without a login, and never from outside into the local network. */
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

/** Reads `hf:OWNER/REPO/FILE.gguf` (`HF_ENDPOINT` may name another host) or an address. Throws `usage`. */
export function readFileAddress(given: string, env: Readonly<Record<string, string | undefined>>): FileAddress {
  const base = env['HF_ENDPOINT'] || hub;
  const text = given.startsWith('hf:') ? hubUrl(given, URL.canParse(base) ? base : hub).href : given;
  if (!URL.canParse(text)) throw refused(given, 'it is no valid address', example);
  const url = new URL(text);
  if (url.username + url.password !== '') throw refused(given, 'it holds a user name or a password', example);
  if (!isSafe(url)) throw refused(given, 'it is not on https', 'Use an https address, or an address of this machine.');
  const name = url.pathname.split('/').at(-1) ?? '';
  if (!plainName.test(name) || !fileName.test(name)) throw refused(given, 'it is no .gguf file', example);
  return { url, name };
}

/** Identifies a version of a file, so that a download can be resumed. */
export interface FileVersion {
  /** The SHA-256 of the file in hex; null if not reported. */
  readonly sha256: string | null;
  /** The SHA-256, or else the server's strong ETag. Null if neither is reported: then no download can be resumed. */
  readonly tag: string | null;
  /** In bytes; null if not reported. */
  readonly totalBytes: number | null;
}

interface FileResponse extends FileVersion {
  readonly startByte: number;
  readonly body: AsyncIterable<Uint8Array>;
}

const mostRedirects = 5;

const failed = (url: URL, why: string, cause?: unknown): RlmError =>
  new RlmError('provider-failed', `${url.host} ${clean(why)}`, {
    hint: 'Run the same command again: it continues the download.',
    transient: true,
    cause,
  });

/** Returns the SHA-256 of the file, which a hub reports before it redirects to the storage. */
const sumOf = (headers: Headers): string | null =>
  /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1] ?? null;

/** Returns the size that a header states, in bytes; null if it states none. */
const sizeOf = (headers: Headers, name: string): number | null =>
  /^\d{1,15}$/.test(headers.get(name) ?? '') ? Number(headers.get(name)) : null;

/** Returns the strong ETag; null for a weak ETag, which different bytes can share. */
const tagOf = (headers: Headers): string | null => /^"[^"]{1,200}"$/.exec(headers.get('etag') ?? '')?.[0] ?? null;

function startOf(url: URL, { status, headers }: Response): { startByte: number; totalBytes: number | null } {
  if (status === 200) return { startByte: 0, totalBytes: sizeOf(headers, 'content-length') };
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers.get('content-range') ?? '');
  if (range === null) throw failed(url, 'sent a part of the file without saying which');
  return { startByte: Number(range[1]), totalBytes: Number(range[2]) };
}

function refusal(url: URL, status: number): RlmError {
  if (![401, 403, 404, 410].includes(status)) return failed(url, `answered ${status}`);
  const why = status === 404 || status === 410 ? 'has no such file' : 'requires an account for this file';
  return new RlmError('model-missing', `${url.host} ${why} (HTTP ${status})`, {
    hint: 'Check the name, or download the file in a browser and name it with --model.',
  });
}

async function fetchOnce(url: URL, fromByte: number, signal: AbortSignal): Promise<Response> {
  const headers = { 'accept-encoding': 'identity', ...(fromByte > 0 && { range: `bytes=${fromByte}-` }) };
  return fetch(url, { redirect: 'manual', signal, headers }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failed(url, `cannot be reached: ${reasonOf(error)}`, error);
  });
}

function follow(from: URL, location: string): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (next !== null && mayLead(from, next)) return next;
  throw new RlmError('usage', `${from.host} redirects to an address that is not allowed: ${clean(location)}`, {
    hint: 'Redirects are followed only to https addresses, and never from a remote host into your network.',
  });
}

/** Requests a file, starting at a byte. The server may send the whole file (`startByte` 0). Throws RlmError. */
export async function requestFile(url: URL, fromByte: number, signal: AbortSignal): Promise<FileResponse> {
  let [at, sha256, size] = [url, null as string | null, null as number | null];
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await fetchOnce(at, fromByte, signal);
    const { status, headers, body } = response;
    sha256 ??= sumOf(headers);
    size ??= sizeOf(headers, 'x-linked-size');
    if (status === 200 || status === 206) {
      const { startByte, totalBytes } = startOf(at, response);
      const stream = (body ?? []) as AsyncIterable<Uint8Array>;
      return { startByte, totalBytes: totalBytes ?? size, sha256, tag: sha256 ?? tagOf(headers), body: stream };
    }
    await body?.cancel();
    // Status 416 means that the file does not have the byte `fromByte`, so the whole file is requested.
    if (status === 416 && fromByte > 0) return requestFile(url, 0, signal);
    const location = status >= 300 && status <= 399 ? headers.get('location') : null;
    if (location === null) throw refusal(at, status);
    at = follow(at, location);
  }
  throw failed(at, `redirected more than ${mostRedirects} times`);
}

/** Returns the reason of a failed fetch, which is in the cause of its error. */
const reasonOf = (error: unknown): string => systemDetail(error instanceof Error && error.cause ? error.cause : error);

export const brokenOff = (url: URL, error: unknown): RlmError =>
  error instanceof RlmError ? error : failed(url, `broke the download off: ${reasonOf(error)}`, error);
