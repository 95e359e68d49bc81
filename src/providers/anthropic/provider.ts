import { withoutLogin } from '../../config/login.ts';
import type { CallOptions, ModelRequest, Provider } from '../provider.ts';
import { connectTo, type Server } from '../wire/requests.ts';
import { fromConnection, readBaseUrl } from '../wire/server-errors.ts';
import { anthropicWords, streamMessage, unusableKey } from './client.ts';
import { assumedMeans, hosted, inspectAnthropic, surveyAnthropic } from './inspect.ts';
import { lessThan, type RequestMeans, toBody } from './request.ts';
import { readReply } from './stream.ts';

export interface AnthropicOptions {
  /** Everything before `/v1/messages`, such as `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Null for a server that needs no key. */
  readonly apiKey: string | null;
  readonly notices?: readonly string[];
  /** Removes secrets from the server's error messages; replies are redacted by the caller. */
  readonly redact?: (text: string) => string;
}

const names = { baseUrl: 'anthropic.baseUrl', variable: 'RLM_ANTHROPIC_BASE_URL', example: `https://${hosted}` };

const version = '2026-10-21';

function readServer({ baseUrl, model, apiKey, redact }: AnthropicOptions): Server {
  const url = readBaseUrl(baseUrl, names).url.replace(/\/v1$/, '');
  const server = connectTo({ url, display: withoutLogin(url), model, apiKey, redact, words: anthropicWords });
  return { ...server, headers: { ...server.headers, 'anthropic-version': version } };
}

async function askForLess(server: Server, request: ModelRequest, options: CallOptions, most: RequestMeans) {
  const { signal, onProgress } = options;
  for (let means = most; ; ) {
    try {
      const events = streamMessage(server, toBody(server.model, request, means), signal);
      return { reply: await readReply(events, request, server, onProgress), means };
    } catch (error) {
      signal.throwIfAborted();
      const known = fromConnection(error, server);
      const less = lessThan(means, request, known);
      if (less === null) throw known;
      means = less;
    }
  }
}

/**
 * Creates the provider for Anthropic's API. Throws `config-invalid` for an invalid base URL. Its methods throw
 * `credentials-refused` without a usable key.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const server = readServer(options);
  const { apiKey, notices = [] } = options;
  let means = assumedMeans;

  function checkKey(signal: AbortSignal): void {
    signal.throwIfAborted();
    const needsKey = new URL(server.url).hostname === hosted;
    // A key may have only printable ASCII characters, because Node rejects or changes other characters.
    const isUsable = apiKey === null ? !needsKey : /^[!-~]+$/.test(apiKey);
    if (!isUsable) throw unusableKey(server, apiKey);
  }

  return {
    name: 'anthropic',
    async inspect(signal) {
      checkKey(signal);
      const found = await inspectAnthropic(server, signal);
      means = found.means;
      return { ...found.info, notices: [...notices, ...found.info.notices] };
    },
    async survey(signal) {
      checkKey(signal);
      return surveyAnthropic(server, signal);
    },
    async call(request, callOptions) {
      checkKey(callOptions.signal);
      const asked = await askForLess(server, request, callOptions, means);
      // Simpler means are kept only after a success, because a failure may have another cause.
      means = asked.means;
      return asked.reply;
    },
  };
}
