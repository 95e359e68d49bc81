import { RlmError } from '../errors.ts';
import type { Reserve } from './input-total.ts';
import { type Bounds, isReadable, type ReadDocuments, readDocuments } from './read-documents.ts';
import { systemDetail } from './skipped.ts';
import { shownUrl } from './urls.ts';

const maxRedirects = 5;
const manually = 'Fetch it yourself and pipe it in: curl -L ADDRESS | rlm ask "…"';

const refused = (name: string, why: string, hint = manually) =>
  new RlmError('usage', `'${name}' was not read: ${why}`, { hint });

const failed = (name: string, why: string, cause?: unknown) =>
  new RlmError('input-unreadable', `cannot read '${name}': ${why}`, { hint: `Check the address. ${manually}`, cause });

/**
 * The documents at an http or https address.
 * @param given as the user typed it
 * @throws RlmError `usage` for an address that is not allowed, `input-unreadable`, `input-too-large`; the signal's reason
 */
export async function readUrl(
  given: string,
  allowed: boolean,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<ReadDocuments> {
  const name = shownUrl(given);
  const url = checkUrl(given, name, allowed);
  const timeout = AbortSignal.timeout(bounds.readTimeoutMs);
  const bytes = await download(url, name, bounds.total.reserveFor(name), AbortSignal.any([signal, timeout])).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof RlmError) throw error;
      if (timeout.aborted) throw failed(name, `not done after ${bounds.readTimeoutMs / 1000} s (inputs.readTimeout)`);
      throw failed(name, reasonOf(error), error);
    },
  );
  if (isReadable(url.pathname, bytes)) return readDocuments(name, url.pathname, bytes, bounds, signal);
  bounds.total.reserveFor(name)(-bytes.length);
  return { documents: [], skipped: [{ name, reason: 'binary' }] };
}

function checkUrl(given: string, name: string, allowed: boolean): URL {
  if (!/^https?:/i.test(given)) throw refused(name, 'only http and https addresses can be');
  if (!URL.canParse(given)) throw refused(name, 'it is no valid address', 'Check how it is written.');
  const hint = 'To allow it, add --allow-urls to the command (RLM_ALLOW_URLS, inputs.allowUrls).';
  if (!allowed) throw refused(name, 'addresses are read only when that is allowed', hint);
  const url = new URL(given);
  if (url.username + url.password !== '') throw refused(name, 'it holds a user name or a password');
  return url;
}

/** Another host than the one that the user named is not asked, nor is the same one in clear. */
function isSameSite(from: URL, to: URL): boolean {
  const isHttp = to.protocol === 'https:' || to.protocol === from.protocol;
  return isHttp && to.hostname === from.hostname && to.username + to.password === '';
}

async function follow(url: URL, name: string, signal: AbortSignal): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(at, { redirect: 'manual', signal, headers: { 'accept-encoding': 'identity' } });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, at);
    if (!isSameSite(at, next)) throw refused(name, `it leads to '${shownUrl(next.href)}', which is another place`);
    at = next;
  }
  throw failed(name, `more than ${maxRedirects} redirects`);
}

async function download(url: URL, name: string, reserve: Reserve, signal: AbortSignal): Promise<Buffer> {
  const response = await follow(url, name, signal);
  if (!response.ok) {
    await response.body?.cancel();
    throw failed(name, `HTTP ${response.status}`);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    reserve(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What fetch throws says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return systemDetail(cause);
}
