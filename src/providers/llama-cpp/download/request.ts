/** Asks for a file, or for the rest of one. */
import { systemDetail } from '../../../base/files/system-error.ts';
import { RlmError } from '../../../errors.ts';
import { clean } from '../../wire/http-errors.ts';
import { mayLead } from './address.ts';

/** What identifies a version of a file, so that its rest can be asked for. */
export interface FileVersion {
  /** Its SHA-256 in hex, where the server tells it. */
  readonly sha256: string | null;
  /** The server's tag of these very bytes; null: it has none, and the rest cannot be asked for safely. */
  readonly tag: string | null;
  /** In bytes; null where it is not told. */
  readonly totalBytes: number | null;
}

/** A response that begins at a byte of the file. */
interface FileResponse extends FileVersion {
  readonly startByte: number;
  readonly body: AsyncIterable<Uint8Array>;
}

const mostRedirects = 5;

const failed = (url: URL, why: string, cause?: unknown): RlmError =>
  new RlmError('provider-failed', `${url.host} ${clean(why)}`, {
    hint: 'The same command goes on where it stopped.',
    transient: true,
    cause,
  });

/** A hub tells the SHA-256 of the file before it sends on to where the file is kept. */
function sumOf(headers: Headers): string | null {
  const tag = headers.get('x-linked-etag')?.replaceAll('"', '') ?? '';
  return /^[0-9a-f]{64}$/.test(tag) ? tag : null;
}

/** A weak tag is the same for bytes that differ. */
const tagOf = (headers: Headers): string | null => /^"[^"]{1,200}"$/.exec(headers.get('etag') ?? '')?.[0] ?? null;

function startOf(url: URL, { status, headers }: Response): { startByte: number; totalBytes: number | null } {
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (status !== 206) return { startByte: 0, totalBytes: Number.isSafeInteger(length) ? length : null };
  const range = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers.get('content-range') ?? '');
  if (range === null) throw failed(url, 'sent a part of the file without saying which');
  return { startByte: Number(range[1]), totalBytes: Number(range[2]) };
}

function checkStatus(url: URL, { status }: Response): void {
  if (status === 200 || status === 206) return;
  if ([401, 403, 404, 410].includes(status)) {
    const why = status === 404 || status === 410 ? 'has no such file' : 'gives this file to nobody without an account';
    throw new RlmError('model-missing', `${url.host} ${why} (HTTP ${status})`, {
      hint: 'Check the name, or download the file in a browser and name it with --model.',
    });
  }
  throw failed(url, `answered ${status}`);
}

async function fetchOnce(url: URL, fromByte: number, signal: AbortSignal): Promise<Response> {
  const headers = { 'accept-encoding': 'identity', ...(fromByte > 0 && { range: `bytes=${fromByte}-` }) };
  return fetch(url, { redirect: 'manual', signal, headers }).catch((error: unknown) => {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw failed(url, `cannot be reached: ${systemDetail(cause)}`, error);
  });
}

/**
 * Asks for a file from a byte on. A server that knows no ranges sends all of it: `startByte` is 0 then.
 * @throws RlmError `usage` where it leads to an address that may not be asked, `model-missing`, `provider-failed`.
 */
export async function requestFile(url: URL, fromByte: number, signal: AbortSignal): Promise<FileResponse> {
  let [at, sha256] = [url, null as string | null];
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const response = await fetchOnce(at, fromByte, signal);
    sha256 ??= sumOf(response.headers);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      if (response.status !== 200 && response.status !== 206) await response.body?.cancel();
      checkStatus(at, response);
      const body = (response.body ?? []) as AsyncIterable<Uint8Array>;
      return { ...startOf(at, response), sha256, tag: sha256 ?? tagOf(response.headers), body };
    }
    await response.body?.cancel();
    const next = URL.canParse(location, at.href) ? new URL(location, at) : null;
    if (next === null || !mayLead(at, next)) {
      throw new RlmError('usage', `${at.host} leads to an address that is not read: ${clean(location)}`, {
        hint: 'Only https addresses are read, and those of this machine where you name it.',
      });
    }
    at = next;
  }
  throw failed(at, `led on more than ${mostRedirects} times`);
}

/** The error for a connection that broke. */
export function brokenOff(url: URL, error: unknown): RlmError {
  if (error instanceof RlmError) return error;
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return failed(url, `broke the download off: ${systemDetail(cause)}`, error);
}
