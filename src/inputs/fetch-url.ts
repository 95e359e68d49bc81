import { systemDetail } from '../base/files/system.ts';
import { RlmError } from '../errors.ts';
import { readDocument } from './read-document.ts';
import { readHead } from './read-file.ts';
import type { InputReading, ReadOutcome } from './reading.ts';
import { shownUrl } from './urls.ts';

const maxRedirects = 5;
const manually = 'Fetch it yourself and pipe it in: curl -L ADDRESS | rlm ask "…"';

const refused = (name: string, why: string, hint = manually) =>
  new RlmError('usage', `'${name}' was not read: ${why}`, { hint });

const failed = (name: string, why: string, cause?: unknown) =>
  new RlmError('input-unreadable', `cannot read '${name}': ${why}`, { hint: `Check the address. ${manually}`, cause });

export interface Address {
  /** The address for display, without its login and its query, because they may be secret. */
  readonly name: string;
  readonly url: URL;
}

/** Parses an address that the user typed. Throws `usage` for an invalid address, or one that is not allowed. */
export function checkUrl(given: string, allowed: boolean): Address {
  const name = shownUrl(given);
  if (!/^https?:/i.test(given)) throw refused(name, 'only http and https addresses can be read');
  if (!URL.canParse(given)) throw refused(name, 'it is not a valid address', 'Check how it is written.');
  const hint = 'To allow it, add --allow-urls to the command (RLM_ALLOW_URLS, inputs.allowUrls).';
  if (!allowed) throw refused(name, 'reading addresses is not allowed', hint);
  const url = new URL(given);
  if (url.username + url.password !== '') throw refused(name, 'it holds a user name or a password');
  return { name, url };
}

/** Reads the document at an address into the store. Throws RlmError, or the signal's reason. */
export async function readUrl({ name, url }: Address, reading: InputReading): Promise<ReadOutcome> {
  const { readTimeoutMs, signal } = reading;
  const timeout = AbortSignal.timeout(readTimeoutMs);
  const closed = new AbortController();
  const fail = (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof RlmError) throw error;
    if (timeout.aborted) throw failed(name, `not done after ${readTimeoutMs / 1000} s (inputs.readTimeout)`);
    throw failed(name, reasonOf(error), error);
  };
  const response = await follow(url, name, AbortSignal.any([signal, timeout, closed.signal])).catch(fail);
  const source = await readHead(piecesOf(response, fail), () => closed.abort(), signal);
  // A page's address may end in `.php`, or in a name with a dot. A script may serve other text as HTML by mistake.
  const isPage = /^text\/html|^application\/xhtml/i.test(response.headers.get('content-type') ?? '');
  return readDocument(name, source, reading, null, isPage && beginsWithTag(source.head) ? 'page.html' : url.pathname);
}

const beginsWithTag = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 1024)).toString('utf8').replace('\ufeff', '').trimStart().startsWith('<');

function isSameSite(from: URL, to: URL): boolean {
  const isSafe = to.protocol === 'https:' || to.protocol === from.protocol;
  return isSafe && to.hostname === from.hostname && to.username + to.password === '';
}

async function follow(url: URL, name: string, signal: AbortSignal): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(at, { redirect: 'manual', signal, headers: { 'accept-encoding': 'identity' } });
    if (response.ok) return response;
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (response.status < 300 || response.status > 399 || location === null)
      throw failed(name, `HTTP ${response.status}`);
    const next = new URL(location, at);
    if (!isSameSite(at, next))
      throw refused(name, `it redirects to '${shownUrl(next.href)}', which is another site or less safe`);
    at = next;
  }
  throw failed(name, `more than ${maxRedirects} redirects`);
}

async function* piecesOf({ body }: Response, fail: (error: unknown) => never) {
  try {
    yield* (body ?? []) as AsyncIterable<Uint8Array>;
  } catch (error) {
    fail(error);
  }
}

/** Returns why a fetch failed. `fetch` reports the reason as the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return systemDetail(cause);
}
