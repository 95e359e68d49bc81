import type { HttpFetch } from '../wire/http.ts';
import type { Json } from '../wire/json.ts';
import { createGuardedFetch } from './stream.ts';
import type { OpenAiTarget } from './target.ts';

type Package = typeof import('openai/client');
type Body = Parameters<InstanceType<Package['OpenAI']>['chat']['completions']['create']>[0] & { stream: true };

let loading: Promise<Package> | null = null;

/** The client package, which is loaded once. */
export function loadOpenAiClient(): Promise<Package> {
  loading ??= import('openai/client');
  return loading;
}

/** The longest time of a timer, in ms: the caller's signal decides when a call ends. */
const never = 2 ** 31 - 1;

/**
 * Sends one chat request, and passes its parts to `read`.
 * @throws the failure, as an RlmError where the server reported it, or the error of `read`.
 */
export async function streamChat<T>(
  http: HttpFetch,
  target: OpenAiTarget,
  body: Json,
  signal: AbortSignal,
  read: (parts: AsyncIterable<object>) => Promise<T>,
): Promise<T> {
  const { OpenAI } = await loadOpenAiClient();
  const guard = createGuardedFetch(http, target, signal);
  const client = new OpenAI({
    baseURL: target.url,
    // The client wants one; the real one, if any, is put in where the request leaves.
    apiKey: 'none',
    fetch: guard.fetch,
    maxRetries: 0,
    timeout: never,
    logLevel: 'off',
  });
  try {
    const reply = await read(await client.chat.completions.create(body as unknown as Body));
    // The client treats some failures as the end of a reply.
    if (guard.failure() !== null) throw guard.failure();
    return reply;
  } catch (error) {
    throw guard.failure() ?? error;
  }
}
