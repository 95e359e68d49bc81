import type { Environment } from '../../config/setting-layers.ts';
import { type FullResponse, readFully } from '../wire/http-errors.ts';
import { connectTo, type Server, send } from '../wire/requests.ts';
import type { ServerWords } from '../wire/server-errors.ts';
import { parseOllamaHost } from './host.ts';

export interface OllamaOptions {
  /** The server's address, in any form that OLLAMA_HOST may have. */
  readonly host: string;
  readonly model: string;
  /** How long the server keeps the model loaded after a call: `5m`, or seconds; `-1` means forever. */
  readonly keepAlive?: string;
  /** Whether to refuse a model that runs on another server, because no trusted setting chose it. */
  readonly refuseRemote?: boolean;
  /** Removes secrets from the server's error messages; replies are redacted by the caller. */
  readonly redact?: (text: string) => string;
  /** The environment, of which OLLAMA_API_KEY (sent only to ollama.com) and OLLAMA_NUM_PARALLEL are read. */
  readonly env?: Environment;
}

/** A server with its connections, and the requested model. */
export interface OllamaTarget extends Server {
  readonly env: Environment;
  /** `keep_alive` of a request; empty for the server's default. */
  readonly keep: { readonly keep_alive?: string | number };
  readonly makesVectors: boolean;
}

const wordsFor = (model: string): ServerWords => ({
  kind: 'Ollama',
  address: 'Start it with: ollama serve. If it runs elsewhere, set OLLAMA_HOST. To check the server: rlm doctor',
  failed: 'The log of the Ollama server may say more.',
  shorten:
    'Raise context.maxWindowTokens (RLM_MAX_WINDOW_TOKENS) if the model and the memory allow it, or lower context.passages.',
  access:
    'For a model in the cloud: ollama signin. For a server behind a password: OLLAMA_HOST=https://user:password@host',
  missing: `ollama pull ${model}, or: rlm models pull ${model}`,
  refused: 'Ollama may be too old for this request. See: ollama --version',
  tooLong: /exceed_context_size|exceeds the (available )?context|longer than the context length/i,
  notTooLong: [],
});

/** Whether an address is ollama.com, the only server that gets the key. */
const isHosted = (url: string): boolean => /^https:\/\/ollama\.com(:443)?(\/|$)/.test(url);

/** Creates the target that the options describe. Throws `config-invalid` when the host is no address. */
export function readOllamaTarget(options: OllamaOptions, makesVectors: boolean): OllamaTarget {
  const { host, model, keepAlive, redact, env = {} } = options;
  // The server reads a string as a Go duration, so seconds without a unit have to be sent as a number.
  const duration = (value: string) => (/^-?\d+$/.test(value.trim()) ? Number(value) : value);
  const keep = keepAlive === undefined ? {} : { keep_alive: duration(keepAlive) };
  const address = parseOllamaHost(host);
  const apiKey = isHosted(address.url) ? env['OLLAMA_API_KEY'] || null : null;
  const server = connectTo({ ...address, model, apiKey, redact, words: wordsFor(model) });
  return { ...server, env, keep, makesVectors };
}

/** Sends a request and reads the response to its end. */
export const request = async (...asked: Parameters<typeof send>): Promise<FullResponse> =>
  readFully(await send(...asked), asked[0].redact);
